import { Anchor, Select } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'
import { providerNames } from '../../records/agents/provider-names.ts'
import { errorText } from '../../ui/error-text.ts'
import type { AgentForm } from './agent-section.tsx'

const nameOf = (provider: string) => providerNames[provider as keyof typeof providerNames] ?? provider

/** A voice from the short list, or one of all voices of the account at a provider. */
export function VoiceField({ form }: { form: AgentForm }) {
  const { values, set } = form
  const { data } = useRecord(['voices'], (signal) => api.agents.listVoices({}, { signal }))
  const { voice_provider: chosen } = values
  const providers = [...new Set([...(data?.providers ?? []), ...(chosen ? [chosen] : [])])]
  const chooseProvider = (provider: string | null) => {
    set('voice_provider', provider ?? '')
    set('provider_voice_id', '')
  }
  return (
    <>
      <Select
        label="Voice provider"
        description="Choose one to see all voices of the account."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder="Any"
        data={providers.map((provider) => ({ value: provider, label: nameOf(provider) }))}
        clearable
        value={chosen || null}
        onChange={chooseProvider}
      />
      {chosen ? <AccountVoice form={form} provider={chosen} /> : <OfferedVoice form={form} />}
    </>
  )
}

function OfferedVoice({ form }: { form: AgentForm }) {
  const { values, set } = form
  const { data, error } = useRecord(['voices'], (signal) => api.agents.listVoices({}, { signal }))
  const voices = (data?.voices ?? []).map(({ id, name, provider, language }) => ({
    value: id,
    label: `${name} · ${language}${provider === 'local' ? '' : ` · ${nameOf(provider)}`}`,
  }))
  const isKnown = !values.voice_id || !data || voices.some(({ value }) => value === values.voice_id)
  return (
    <Select
      label="Voice"
      placeholder="Best available"
      data={isKnown ? voices : [...voices, { value: values.voice_id, label: 'A voice that is no longer available' }]}
      searchable
      clearable
      value={values.voice_id || null}
      error={form.errors.voice_id ?? (error ? 'Could not load the voices' : undefined)}
      onChange={(id) => set('voice_id', id ?? '')}
    />
  )
}

function AccountVoice({ form, provider }: { form: AgentForm; provider: string }) {
  const { values, set } = form
  const { data, error, isFetching } = useRecord(['voices', provider], (signal) =>
    api.agents.listVoices({ provider: provider as 'local' }, { signal }),
  )
  const listed = data?.voices.filter((voice) => voice.provider === provider) ?? []
  const voices = listed.map(({ provider_voice_id = '', name, language }) => ({
    value: provider_voice_id,
    label: `${name} · ${language}`,
  }))
  const { provider_voice_id: id } = values
  const isKnown = !id || voices.some(({ value }) => value === id)
  const preview = listed.find((voice) => voice.provider_voice_id === id)?.preview_url
  return (
    <Select
      label="Voice"
      placeholder={isFetching ? 'Loading voices …' : 'First voice'}
      data={isKnown ? voices : [...voices, { value: id, label: id }]}
      searchable
      clearable
      limit={200}
      nothingFoundMessage="No voice found"
      value={id || null}
      error={form.errors.provider_voice_id ?? (error ? errorText(error) : undefined)}
      description={
        preview && (
          <Anchor href={preview} target="_blank" rel="noreferrer" size="xs">
            Listen to a preview
          </Anchor>
        )
      }
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      onChange={(chosen) => set('provider_voice_id', chosen ?? '')}
    />
  )
}
