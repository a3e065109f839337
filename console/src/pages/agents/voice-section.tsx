import { Autocomplete, NumberInput, Select, SimpleGrid, Switch, TextInput } from '@mantine/core'
import { type AgentForm, AgentSection } from './agent-section.tsx'
import { VoiceField } from './voice-field.tsx'

const languages = [
  'en-US',
  'en-GB',
  'de-DE',
  'es-ES',
  'fr-FR',
  'it-IT',
  'nl-NL',
  'pt-BR',
  'pt-PT',
  'pl-PL',
  'tr-TR',
  'ar',
  'hi-IN',
  'id-ID',
  'ja-JP',
  'zh-CN',
]

const transcribers = [
  { value: '', label: 'Best available' },
  { value: 'local', label: 'On this machine (English)' },
  { value: 'deepgram', label: 'Deepgram' },
  { value: 'cartesia', label: 'Cartesia' },
  { value: 'openai', label: 'OpenAI-compatible server' },
]

/** One model for everything, or a recognizer, a model and a voice. */
function SpeechMode({ form }: { form: AgentForm }) {
  const { values, set } = form
  const isSpeech = values.speech_mode === 'speech_to_speech'
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <Select
        label="Conversation"
        description={
          isSpeech
            ? 'One OpenAI model hears and speaks on live calls. If it fails, the call continues with the settings below.'
            : undefined
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={[
          { value: 'pipeline', label: 'Recognition, model and voice' },
          { value: 'speech_to_speech', label: 'Speech to speech' },
        ]}
        allowDeselect={false}
        value={values.speech_mode}
        error={form.errors.speech_mode}
        onChange={(mode) => set('speech_mode', (mode ?? 'pipeline') as typeof values.speech_mode)}
      />
      {isSpeech && (
        <Autocomplete
          label="Speech-to-speech model"
          placeholder="Installation default"
          data={['gpt-realtime', 'gpt-realtime-mini']}
          value={values.speech_model}
          error={form.errors.speech_model}
          onChange={(model) => set('speech_model', model)}
        />
      )}
    </SimpleGrid>
  )
}

export function VoiceSection({ form }: { form: AgentForm }) {
  const { values, set } = form
  return (
    <AgentSection id="voice" title="Voice and speech recognition" text="How the agent sounds and understands callers.">
      {values.agent_type === 'prompt' && <SpeechMode form={form} />}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <VoiceField form={form} />
        <Autocomplete
          label="Language"
          description="Starting language"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={languages}
          value={values.language}
          error={form.errors.language}
          onChange={(language) => set('language', language)}
        />
        <Select
          label="Speech recognition"
          data={
            transcribers.some(({ value }) => value === values.transcriber_provider)
              ? transcribers
              : [...transcribers, { value: values.transcriber_provider, label: values.transcriber_provider }]
          }
          allowDeselect={false}
          value={values.transcriber_provider}
          error={form.errors.transcriber_provider}
          onChange={(provider) => set('transcriber_provider', provider ?? '')}
        />
        <TextInput label="Recognition model" placeholder="Provider default" {...form.field('transcriber_model')} />
        <NumberInput
          label="Pause before replying"
          description="Shorter replies faster but may interrupt; longer waits but can feel slow."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          suffix=" ms"
          step={100}
          value={values.endpointing_ms}
          error={form.errors.endpointing_ms}
          onChange={(value) => set('endpointing_ms', Number(value))}
        />
      </SimpleGrid>
      <Switch
        label="Follow the caller’s language"
        description="Detects the language with Deepgram or an OpenAI-compatible server. Default phrases and the voice follow it."
        checked={values.detect_language}
        onChange={(event) => set('detect_language', event.currentTarget.checked)}
      />
    </AgentSection>
  )
}
