import { Autocomplete, NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'
import { type AgentForm, AgentSection } from './agent-section.tsx'

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
  'ja-JP',
  'zh-CN',
]

const transcribers = [
  { value: '', label: 'The best that is set up' },
  { value: 'local', label: 'On this machine (English)' },
  { value: 'deepgram', label: 'Deepgram' },
  { value: 'openai', label: 'An OpenAI-compatible server' },
]

export function VoiceSection({ form }: { form: AgentForm }) {
  const { values, set } = form
  const { data, error } = useRecord(['voices'], (signal) => api.agents.listVoices({ signal }))
  const voices = (data?.voices ?? []).map(({ id, name, provider, language }) => ({
    value: id,
    label: `${name} · ${language}${provider === 'local' ? '' : ` · ${provider}`}`,
  }))
  const isKnown = !values.voice_id || !data || voices.some(({ value }) => value === values.voice_id)
  return (
    <AgentSection id="voice" title="Voice and hearing" text="How it sounds on calls and how it understands the caller.">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <Select
          label="Voice"
          placeholder="The best that is set up"
          data={isKnown ? voices : [...voices, { value: values.voice_id, label: 'A voice that is no longer set up' }]}
          searchable
          clearable
          value={values.voice_id || null}
          error={form.errors.voice_id ?? (error ? 'The voices could not be loaded' : undefined)}
          onChange={(id) => set('voice_id', id ?? '')}
        />
        <Autocomplete
          label="Language"
          description="What it begins in"
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
        <TextInput
          label="Recognition model"
          placeholder="The provider’s usual one"
          {...form.field('transcriber_model')}
        />
        <NumberInput
          label="Pause that ends a turn"
          description="Shorter is quicker and cuts people off; longer is patient and feels slow"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          suffix=" ms"
          step={100}
          value={values.endpointing_ms}
          error={form.errors.endpointing_ms}
          onChange={(value) => set('endpointing_ms', Number(value))}
        />
      </SimpleGrid>
    </AgentSection>
  )
}
