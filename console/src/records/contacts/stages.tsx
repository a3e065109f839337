import type { api as types } from '@frontdesk/sdk'
import { Status, type Tone } from '../../ui/status.tsx'

export type Stage = types.Contact['stage']

export const stages: { value: Stage; label: string; tone: Tone }[] = [
  { value: 'new', label: 'New', tone: 'waiting' },
  { value: 'engaged', label: 'Engaged', tone: 'busy' },
  { value: 'qualified', label: 'Qualified', tone: 'busy' },
  { value: 'customer', label: 'Customer', tone: 'good' },
  { value: 'lost', label: 'Lost', tone: 'bad' },
]

/** Choices for a select. */
export const stageChoices = stages.map(({ value, label }) => ({ value, label }))

export const stageLabel = (stage: string) => stages.find(({ value }) => value === stage)?.label ?? stage

export function StageStatus({ stage }: { stage: Stage }) {
  return <Status tone={stages.find(({ value }) => value === stage)?.tone ?? 'waiting'}>{stageLabel(stage)}</Status>
}

export const callName = ({
  name,
  phone_number,
  username,
}: {
  name: string
  phone_number: string
  username?: string | null
}): string => name || phone_number || (username ? `@${username}` : 'Unnamed contact')
