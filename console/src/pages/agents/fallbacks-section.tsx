import { Autocomplete, Button, Group, Select, Stack, Text } from '@mantine/core'
import { IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { providerNames } from '../../records/agents/provider-names.ts'
import { moved } from '../../ui/moved.ts'
import { RowButton } from '../../ui/row-button.tsx'
import { type AgentForm, AgentSection } from './agent-section.tsx'
import { defaultModels } from './agent-values.ts'
import classes from './agents.module.css'
import type { ChainName, FallbackRow } from './fallback-values.ts'
import { newKey } from './row-keys.ts'

type Provider = keyof typeof providerNames

interface Chain {
  name: ChainName
  title: string
  noun: string
  providers: Provider[]
  /** What is chosen at the provider, and what happens without it. */
  choice: { label: string; placeholder: string }
}

const models: Chain = {
  name: 'models',
  title: 'Models',
  noun: 'model',
  providers: ['openai', 'anthropic', 'google'],
  choice: { label: 'Model', placeholder: 'Name of the model' },
}
const speechChains: Chain[] = [
  {
    name: 'transcribers',
    title: 'Speech recognition',
    noun: 'recognizer',
    providers: ['deepgram', 'cartesia', 'openai', 'local'],
    choice: { label: 'Model', placeholder: 'Provider default' },
  },
  {
    name: 'voices',
    title: 'Voices',
    noun: 'voice',
    providers: ['elevenlabs', 'cartesia', 'openai', 'local'],
    choice: { label: 'Voice ID', placeholder: 'First voice' },
  },
]
const mostRows = 3

/** Who takes over when a provider fails. */
export function FallbacksSection({ form }: { form: AgentForm }) {
  const chains = form.values.agent_type === 'prompt' ? [models, ...speechChains] : speechChains
  return (
    <AgentSection
      id="fallbacks"
      title="Fallbacks"
      text="If a provider fails before its first output, the next one in the list takes over and the call continues."
    >
      {chains.map((chain) => (
        <ChainRows key={chain.name} form={form} chain={chain} />
      ))}
    </AgentSection>
  )
}

function ChainRows({ form, chain }: { form: AgentForm; chain: Chain }) {
  const { name, title, noun } = chain
  const field = `fallback_${name}` as const
  const rows = form.values[field]
  const setRows = (next: FallbackRow[]) => form.set(field, next)
  const create = (): FallbackRow => {
    const provider = chain.providers.find((each) => rows.every((row) => row.provider !== each)) ?? 'openai'
    return { key: newKey(), provider, choice: modelOf(name, provider) }
  }
  return (
    <Stack gap="xs" role="group" aria-label={title}>
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          disabled={rows.length >= mostRows}
          {...(rows.length >= mostRows && { bg: 'transparent' })}
          onClick={() => setRows([...rows, create()])}
        >
          Add {noun}
        </Button>
      </Group>
      {form.errors[field] && (
        <Text size="xs" c="red">
          {form.errors[field]}
        </Text>
      )}
      {rows.map((row, index) => (
        <ChainRow
          key={row.key}
          chain={chain}
          row={row}
          position={index + 1}
          errorAt={(member) => form.errors[`${field}.${index}.${member}`]}
          change={(changes) => setRows(rows.map((each) => (each === row ? { ...each, ...changes } : each)))}
          moveUp={index > 0 ? () => setRows(moved(rows, index, -1)) : undefined}
          remove={() => setRows(rows.filter((each) => each !== row))}
        />
      ))}
    </Stack>
  )
}

/** Only models have no default at the provider. */
const modelOf = (name: ChainName, provider: string): string =>
  name === 'models' ? (defaultModels[provider as keyof typeof defaultModels] ?? '') : ''

function ChainRow({
  chain: { name, noun, providers, choice },
  row,
  position,
  errorAt,
  change,
  moveUp,
  remove,
}: {
  chain: Chain
  row: FallbackRow
  position: number
  errorAt(member: 'provider' | 'choice'): string | undefined
  change(changes: Partial<FallbackRow>): void
  moveUp: (() => void) | undefined
  remove(): void
}) {
  const nth = `${noun} ${position}`
  return (
    <div className={classes.fallback}>
      <Select
        label="Provider"
        aria-label={`Provider of ${nth}`}
        data={providers.map((value) => ({ value, label: providerNames[value] }))}
        allowDeselect={false}
        value={row.provider}
        error={errorAt('provider')}
        onChange={(provider) => provider && change({ provider, choice: modelOf(name, provider) })}
      />
      <Autocomplete
        className={classes.fallbackChoice}
        label={choice.label}
        aria-label={`${choice.label} of ${nth}`}
        placeholder={choice.placeholder}
        data={modelOf(name, row.provider) ? [modelOf(name, row.provider)] : []}
        value={row.choice}
        error={errorAt('choice')}
        onChange={(value) => change({ choice: value })}
      />
      <Group gap={0} wrap="nowrap" className={classes.fallbackButtons}>
        <RowButton
          label={`Move ${nth} up`}
          icon={IconArrowUp}
          disabled={!moveUp}
          isBesideInput
          onClick={() => moveUp?.()}
        />
        <RowButton label={`Remove ${nth}`} icon={IconTrash} isBesideInput onClick={remove} />
      </Group>
    </div>
  )
}
