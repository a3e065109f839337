import type { api as types } from '@frontdesk/sdk'
import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { Moment } from '../../ui/moment.tsx'
import classes from './passages.module.css'

const reasons = { not_found: 'No answer found', handed_off: 'Handed off' }

/** The latest questions of a gap, each with the conversation or call it was asked in. */
export function GapExamples({ gap: { examples, question_count } }: { gap: types.KnowledgeGap }) {
  return (
    <Stack gap="sm" py="xs" pl={42}>
      {question_count > examples.length && (
        <Text size="xs" c="dimmed">
          Latest {examples.length} of {question_count.toLocaleString()}
        </Text>
      )}
      <Stack component="ol" gap="sm" p={0} m={0} className={classes.list} aria-label="Examples">
        {examples.map(({ text, reason, inbox_id, call_id, asked_at }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: questions have no id, and their order is their identity
          <li key={index}>
            <Text size="sm" className={classes.text} dir="auto">
              {text}
            </Text>
            <Group gap="xs">
              <Text size="xs" c="dimmed">
                {reasons[reason]}, <Moment at={asked_at} />
              </Text>
              {inbox_id ? (
                <Anchor component={Link} to={`/inbox/${inbox_id}`} size="xs">
                  Open conversation
                </Anchor>
              ) : (
                call_id && (
                  <Anchor component={Link} to={`/calls/${call_id}`} size="xs">
                    Open call
                  </Anchor>
                )
              )}
            </Group>
          </li>
        ))}
      </Stack>
    </Stack>
  )
}
