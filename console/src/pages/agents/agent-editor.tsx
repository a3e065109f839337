import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { IfMay } from '../../data/session.tsx'
import { FormError } from '../../ui/form-error.tsx'
import type { AgentForm } from './agent-section.tsx'
import classes from './agents.module.css'
import { CallLimitsSection } from './call-limits-section.tsx'
import { FallbacksSection } from './fallbacks-section.tsx'
import { HoursSection } from './hours-section.tsx'
import { IdentitySection } from './identity-section.tsx'
import { KnowledgeSection } from './knowledge-section.tsx'
import { McpSection } from './mcp-section.tsx'
import { MemorySection } from './memory-section.tsx'
import { ModelSection } from './model-section.tsx'
import { OnCallSection } from './on-call-section.tsx'
import { PhrasesSection } from './phrases-section.tsx'
import { ResultsSection } from './results-section.tsx'
import { RulesSection } from './rules-section.tsx'
import { ToolsSection } from './tools-section.tsx'
import { TransferTargetsSection } from './transfer-targets-section.tsx'
import { TurnTakingSection } from './turn-taking-section.tsx'
import { VoiceSection } from './voice-section.tsx'

/** The settings of an agent, in sections, with one save button. */
export function AgentEditor({
  form,
  isTest,
  saveLabel,
  notice,
  onDiscard,
}: {
  form: AgentForm
  isTest: boolean
  saveLabel: string
  notice?: ReactNode
  /** Not given for a new agent. */
  onDiscard?(): void
}) {
  const faults = Object.values(form.errors).filter(Boolean).length
  const isPrompt = form.values.agent_type === 'prompt'
  return (
    <form noValidate onSubmit={form.onSubmit}>
      <Stack gap="md">
        {notice}
        <IdentitySection form={form} />
        {isPrompt ? <ModelSection form={form} isTest={isTest} /> : <RulesSection form={form} />}
        <VoiceSection form={form} />
        <FallbacksSection form={form} />
        {isPrompt && <KnowledgeSection form={form} isTest={isTest} />}
        {isPrompt && <ToolsSection form={form} />}
        {isPrompt && <McpSection form={form} />}
        {isPrompt && <MemorySection form={form} />}
        <ResultsSection form={form} />
        <TurnTakingSection form={form} />
        <CallLimitsSection form={form} />
        {isPrompt && <TransferTargetsSection form={form} />}
        <OnCallSection form={form} />
        <PhrasesSection form={form} />
        <HoursSection form={form} />
        <FormError form={form} />
        {faults > 0 && (
          <Alert color="red" variant="light" py="xs">
            {faults === 1 ? '1 field above needs' : `${faults} fields above need`} another look.
          </Alert>
        )}
      </Stack>
      <Group className={classes.saveBar} justify="flex-end" gap="xs">
        <Text size="sm" c="dimmed" flex={1} aria-live="polite">
          {form.isDirty ? 'Unsaved changes' : ''}
        </Text>
        {onDiscard && form.isDirty && (
          <Button variant="default" onClick={onDiscard} disabled={form.isWorking}>
            Discard
          </Button>
        )}
        <IfMay scope="agents:write">
          <Button type="submit" loading={form.isWorking} disabled={Boolean(onDiscard) && !form.isDirty}>
            {saveLabel}
          </Button>
        </IfMay>
      </Group>
    </form>
  )
}
