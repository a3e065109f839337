import type { api as types } from '@frontdesk/sdk'
import { Anchor, Group, Text } from '@mantine/core'
import { IconInfoCircle, IconRobot, IconUser, IconUserQuestion } from '@tabler/icons-react'
import { useId } from 'react'
import { Link } from 'react-router'
import classes from './handling.module.css'

type HandledBy = types.ContactWithIdentities['handled_by']

const handlers: Record<HandledBy, { label: string; Icon: typeof IconUser }> = {
  ai: { label: 'AI', Icon: IconRobot },
  person: { label: 'Person', Icon: IconUser },
  no_one: { label: 'No one', Icon: IconUserQuestion },
}

/** Choices for a filter. */
export const handlerChoices = Object.entries(handlers).map(([value, { label }]) => ({ value, label }))

/** Old addresses filter by `ai_handling`. */
export const handlerOfOldFilter = (ai_handling: string): HandledBy | undefined =>
  ai_handling === 'true' ? 'ai' : ai_handling === 'false' ? 'person' : undefined

/** Who replies to the contact now. */
export function Handling({ by }: { by: HandledBy }) {
  if (by === 'no_one') return <NoOne />
  const { label, Icon } = handlers[by]
  return (
    <Group gap={6} wrap="nowrap" component="span" style={{ display: 'inline-flex', verticalAlign: 'middle' }}>
      <Icon size={15} stroke={1.6} aria-hidden />
      <Text span size="sm">
        {label}
      </Text>
    </Group>
  )
}

/** Says why on demand. Plain elements, because a list has many of these. */
function NoOne() {
  const id = useId()
  const { label, Icon } = handlers.no_one
  return (
    <>
      <button type="button" popoverTarget={id} className={classes.noOne}>
        <Icon size={15} stroke={1.6} aria-hidden />
        {label}
        <IconInfoCircle size={13} stroke={1.6} aria-hidden />
      </button>
      {/* biome-ignore lint/a11y: a click on the text must not open the contact, as one on its row does */}
      <div id={id} popover="auto" className={classes.why} onClick={(event) => event.stopPropagation()}>
        Handed off to AI, but no agent is active right now. Check the{' '}
        <Anchor component={Link} to="/settings/channels" inherit underline="always">
          channel’s agent
        </Anchor>{' '}
        and its business hours.
      </div>
    </>
  )
}
