import type { api as types } from '@frontdesk/sdk'
import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Status, type Tone } from '../../ui/status.tsx'
import classes from './results.module.css'

const verdicts: Record<types.CriterionResult['result'], [Tone, string]> = {
  met: ['good', 'Met'],
  not_met: ['bad', 'Not met'],
  unknown: ['waiting', 'Unknown'],
}

const outcomes: Record<types.WrittenField['status'], string> = {
  written: 'Saved to the contact',
  unchanged: 'Already on the contact',
  kept: 'Not saved: the contact has another value',
  invalid: 'Not saved: the field cannot have this value',
  no_contact: 'Not saved: no contact',
}

const shown = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** What was found out after a conversation: disposition, criteria, extracted data. */
export function ResultFacts({ results }: { results: types.ConversationResults }) {
  const extracted = Object.entries(results.extracted ?? {})
  const statusOf = (name: string) => results.contact_fields.find(({ property }) => property === name)?.status
  return (
    <Stack gap="sm">
      {results.disposition && (
        <Part title="Disposition">
          <Text size="sm">
            <bdi>{results.disposition}</bdi>
          </Text>
        </Part>
      )}
      {results.success_criteria.length > 0 && (
        <Part title="Success criteria">
          <Stack gap={6}>
            {results.success_criteria.map(({ name, result, reason }) => (
              <div key={name}>
                <Status tone={verdicts[result][0]}>{verdicts[result][1]}</Status>{' '}
                <Text span size="sm" fw={600} dir="auto">
                  {name}
                </Text>
                {reason && (
                  <Text size="xs" c="dimmed" dir="auto">
                    {reason}
                  </Text>
                )}
              </div>
            ))}
          </Stack>
        </Part>
      )}
      {extracted.length > 0 && (
        <Part title="Extracted data">
          <dl className={classes.extracted}>
            {extracted.map(([name, value]) => {
              const status = statusOf(name)
              return (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd dir="auto">
                    {shown(value)}
                    {status && (
                      <Text size="xs" c="dimmed">
                        {outcomes[status]}
                      </Text>
                    )}
                  </dd>
                </div>
              )
            })}
          </dl>
        </Part>
      )}
      {results.error && (
        <Text size="sm" c="var(--mantine-color-error)">
          {results.error}
        </Text>
      )}
      {results.model === 'scripted' && (
        <Text size="xs" c="dimmed">
          From a script, not from a model.
        </Text>
      )}
    </Stack>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div>
    <Text size="xs" c="dimmed" mb={2}>
      {title}
    </Text>
    {children}
  </div>
)
