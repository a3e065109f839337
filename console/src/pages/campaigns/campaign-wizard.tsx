import type { api as types } from '@frontdesk/sdk'
import { Anchor, Box, Button, Group, Skeleton, Stack, Text, Title, UnstyledButton } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { api } from '../../data/api.ts'
import { isMissing } from '../../data/queries.ts'
import { useRecord } from '../../data/use-records.ts'
import { labelOf } from '../../records/templates/slot-field.tsx'
import { TestSend } from '../../records/templates/test-send.tsx'
import layout from '../../ui/layout.module.css'
import { Page } from '../../ui/page.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { AudienceCount } from './audience-count.tsx'
import { AudienceStep } from './audience-step.tsx'
import { type Draft, isAudienceChosen, keepDraft, scheduledAt } from './campaign-draft.ts'
import { people } from './campaign-status.ts'
import { lackingSlots, sourcesFor, toValue } from './campaign-values.ts'
import classes from './campaigns.module.css'
import { DraftGuard } from './draft-guard.tsx'
import { MessageSample } from './message-sample.tsx'
import { ReviewStep, Warnings } from './review-step.tsx'
import { NightWarning, ScheduleStep } from './schedule-step.tsx'
import { TemplateStep } from './template-step.tsx'
import { usePreflight, useSample } from './use-audience.ts'
import { useSending } from './use-sending.ts'
import { VariablesStep } from './variables-step.tsx'
import { viewerZone } from './zones.ts'

const steps = [
  { id: 'audience', label: 'Audience' },
  { id: 'template', label: 'Template' },
  { id: 'variables', label: 'Content' },
  { id: 'schedule', label: 'Schedule' },
  { id: 'review', label: 'Review' },
] as const
type StepId = (typeof steps)[number]['id']

/** What is missing on a step. */
function lackOf(step: StepId, draft: Draft, template: types.Template | undefined, isGone: boolean): string | undefined {
  if (step === 'audience') {
    if (!draft.name.trim()) return 'Enter a name.'
    if (!isAudienceChosen(draft))
      return draft.audienceType === 'tags' ? 'Choose at least one tag.' : 'Choose at least one contact.'
  }
  if (step === 'template' && isGone) return 'The chosen template no longer exists. Choose another one.'
  if (step === 'template' && !draft.templateId) return 'Choose a template.'
  if (step === 'variables' && template) {
    const [lacking] = lackingSlots(template.components, draft.sources)
    if (lacking) return `${lacking.kind === 'media' ? 'Add a file' : 'Choose a value'} for “${labelOf(lacking)}”.`
  }
  if (step === 'schedule' && draft.when === 'later' && !scheduledAt(draft)) return 'Choose a date and time.'
  if (step === 'schedule' && draft.sendingTimes.local_time === '') return 'Enter the local time.'
  return undefined
}

/** Creates a campaign step by step, or edits the scheduled one with `campaignId`. */
export function CampaignWizard({
  start,
  isKept,
  channels,
  campaignId,
}: {
  start: Draft
  /** The draft comes from an earlier visit; leaving asks whether to keep it. */
  isKept: boolean
  channels: types.Channel[]
  campaignId?: string
}) {
  const which = campaignId ?? 'new'
  const [draft, setDraft] = useState(start)
  const [isDirty, setDirty] = useState(isKept)
  const [parameters, setParameters] = useSearchParams()
  const [shown, setShown] = useState('')
  const {
    data: template,
    error: templateError,
    refetch: lookAgain,
  } = useRecord(
    ['templates', draft.templateId],
    (signal) => api.templates.get(draft.templateId as string, { signal }),
    { enabled: draft.templateId !== null },
  )
  const chosen = draft.templateId && template?.id === draft.templateId ? template : undefined
  // Deleted after the draft or link was created.
  const isGone = isMissing(templateError)
  const preflight = usePreflight(draft, chosen)
  const sample = useSample(draft)
  const audienceZone = draft.audienceZone ?? preflight.data?.time_zone ?? viewerZone
  // Until the template step this warning says nothing new.
  const warnings = (preflight.data?.warnings ?? []).filter((text) => !text.startsWith('It has no template'))
  const change = (members: Partial<Draft>) => {
    setDirty(true)
    setShown('')
    setDraft((current) => ({ ...current, ...members }))
  }
  useEffect(() => {
    if (isDirty) keepDraft(which, draft)
  }, [which, draft, isDirty])
  // Fills the variables once the template of the link or of the copied campaign is loaded.
  useEffect(() => {
    if (!chosen) return
    setDraft((current) =>
      Object.keys(current.sources).length > 0 ? current : { ...current, sources: sourcesFor(chosen, current.given) },
    )
  }, [chosen])

  const firstLacking = steps.findIndex(({ id }) => lackOf(id, draft, chosen, isGone) !== undefined)
  const reachable = firstLacking < 0 ? steps.length - 1 : firstLacking
  const wanted = Math.max(
    0,
    steps.findIndex(({ id }) => id === parameters.get('step')),
  )
  const at = Math.min(wanted, reachable)
  const step = (steps[at] ?? steps[0]).id
  const goTo = (id: string) => {
    setShown('')
    setParameters((current) => {
      current.set('step', id)
      return current
    })
    window.scrollTo({ top: 0 })
  }
  const goOn = () => {
    const lack = lackOf(step, draft, chosen, isGone)
    if (lack) setShown(lack)
    else goTo(steps[at + 1]?.id ?? step)
  }

  const channel = channels.find(({ id }) => id === draft.channelId)
  const { isSending, problem, send } = useSending({ draft, which, campaignId })
  const title = campaignId ? 'Edit campaign' : 'New campaign'
  return (
    <Page
      title={title}
      head={
        <div>
          <Anchor component={Link} to={campaignId ? `/campaigns/${campaignId}` : '/campaigns'} size="sm">
            {campaignId ? 'Back to the campaign' : 'Campaigns'}
          </Anchor>
          <Title order={1}>{title}</Title>
        </div>
      }
    >
      <DraftGuard isDirty={isDirty && !isSending} which={which} />
      <ol className={classes.steps} aria-label="Steps">
        {steps.map(({ id, label }, i) => (
          <li key={id}>
            <UnstyledButton
              className={classes.step}
              aria-current={i === at ? 'step' : undefined}
              disabled={i > reachable}
              data-disabled={i > reachable || undefined}
              onClick={() => goTo(id)}
            >
              <span className={classes.stepNumber} aria-hidden>
                {i < at ? <IconCheck size={12} /> : i + 1}
              </span>
              <span className={classes.stepLabel}>{label}</span>
            </UnstyledButton>
          </li>
        ))}
      </ol>
      <div className={layout.columns}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (step === 'review') void send()
            else goOn()
          }}
        >
          {step === 'audience' && <AudienceStep draft={draft} change={change} channels={channels} />}
          {step === 'template' && <TemplateStep draft={draft} change={change} channel={channel} />}
          {step === 'variables' &&
            (chosen ? (
              <VariablesStep draft={draft} change={change} template={chosen} sample={sample} preflight={preflight} />
            ) : templateError ? (
              <ErrorState error={templateError} retry={() => void lookAgain()} />
            ) : (
              <Skeleton height={160} />
            ))}
          {step === 'schedule' && <ScheduleStep draft={draft} change={change} audienceZone={audienceZone} />}
          {step === 'review' && (
            <ReviewStep
              draft={draft}
              template={chosen}
              channel={channel}
              audienceZone={audienceZone}
              preflight={preflight}
              goTo={goTo}
            />
          )}
          <Stack gap="xs" mt="lg">
            {(shown || problem) && (
              <Text c="var(--mantine-color-error)" role="alert">
                {shown || problem}
              </Text>
            )}
            <Group gap="xs">
              {at > 0 && (
                <Button variant="default" onClick={() => goTo(steps[at - 1]?.id ?? 'audience')}>
                  Back
                </Button>
              )}
              {step === 'review' ? (
                <Button
                  type="submit"
                  loading={isSending}
                  disabled={!preflight.data || preflight.isPlaceholderData || preflight.data.recipients === 0}
                >
                  {consequenceOf(draft, preflight.data, campaignId !== undefined)}
                </Button>
              ) : (
                <Button type="submit">Continue</Button>
              )}
            </Group>
          </Stack>
          {/* Below the buttons: a warning that arrives late must not move them under the pointer. */}
          {(step === 'audience' || step === 'schedule') && (
            <Stack mt="md" gap="xs" maw={680}>
              {step === 'schedule' && <NightWarning draft={draft} audienceZone={audienceZone} />}
              <Warnings warnings={warnings} />
            </Stack>
          )}
        </form>
        <aside className={layout.side} aria-label="Message preview">
          {step !== 'review' && <AudienceCount preflight={preflight} />}
          {chosen && at >= 1 && (
            <MessageSample
              template={chosen}
              sources={draft.sources}
              sample={sample}
              sender={channel?.display_name || channel?.phone_number}
              isFinal={at >= 2}
            />
          )}
          {chosen && at >= 3 && (
            <Box mt="sm">
              <TestSend
                template={chosen}
                values={Object.fromEntries(
                  Object.entries(draft.sources).map(([key, source]) => [key, toValue(source)]),
                )}
                channelId={draft.channelId}
              />
            </Box>
          )}
        </aside>
      </div>
    </Page>
  )
}

function consequenceOf(draft: Draft, data: types.CampaignPreflight | undefined, isChange: boolean): string {
  if (!data) return 'Counting…'
  if (data.recipients === 0) return 'No recipients'
  const time = scheduledAt(draft)
  const { local_time } = draft.sendingTimes
  if (!time || new Date(time) <= new Date())
    return `Send to ${people(data.recipients)} ${local_time ? `at ${local_time} their time` : 'now'}`
  return `${isChange ? 'Save' : 'Schedule'} for ${people(data.recipients)}`
}
