import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, Button, Menu, Text, Tooltip, UnstyledButton } from '@mantine/core'
import {
  IconArrowLeft,
  IconBellZ,
  IconCheck,
  IconFlag,
  IconInfoCircle,
  IconRotateClockwise,
  IconUserCircle,
} from '@tabler/icons-react'
import { IfMay } from '../../data/session.tsx'
import { MemberItems, memberDropdown } from '../../records/members/member-menu.tsx'
import { useMembers } from '../../records/members/use-members.ts'
import { Status } from '../../ui/status.tsx'
import { Face } from './face.tsx'
import classes from './inbox.module.css'
import { PriorityIcon, priorityChoices } from './priorities.tsx'
import { SnoozeMenu } from './snooze-menu.tsx'
import { TakeButton } from './take-button.tsx'
import { nameOf, type Ticket } from './tickets.ts'
import { timeText } from './time-text.ts'
import { WindowClock } from './window-notice.tsx'

interface Props {
  ticket: Ticket
  onBack(): void
  onShowContact(): void
  onChange(changes: types.TicketChanges): void
}

export function ConversationHead({ ticket, onBack, onShowContact, onChange }: Props) {
  const name = nameOf(ticket)
  const isOpen = ticket.status === 'open'
  const state = stateText(ticket)
  return (
    <header className={classes.head}>
      {/* On a phone the heading of the list is not shown. A heading within the button would not be announced. */}
      <h2 className="sr-only">Conversation</h2>
      <ActionIcon
        variant="subtle"
        color="gray"
        onClick={onBack}
        aria-label="Back to the list"
        className={classes.onPhone}
      >
        <IconArrowLeft size={20} />
      </ActionIcon>
      <UnstyledButton className={classes.who} onClick={onShowContact}>
        <Face name={name} />
        <span className={classes.whoWords}>
          <Text span fw={650} truncate dir="auto" display="block">
            {name}
          </Text>
          <span className={classes.whoFacts}>
            {state && <Status tone={isOpen ? 'good' : 'waiting'}>{state}</Status>}
            <WindowClock ticket={ticket} />
          </span>
        </span>
      </UnstyledButton>
      <IfMay scope="inbox:write">
        <PriorityMenu ticket={ticket} onChange={onChange} />
        {isOpen && (
          <SnoozeMenu
            target={
              <Button
                size="xs"
                variant="default"
                className={classes.headButton}
                data-compact
                aria-label={ticket.snoozed_until ? 'Snoozed' : 'Snooze'}
                title={ticket.snoozed_until ? 'Snoozed' : 'Snooze'}
              >
                <IconBellZ size={14} />
              </Button>
            }
            isSnoozed={ticket.snoozed_until !== null}
            onSnooze={(snoozed_until) => onChange({ snoozed_until })}
          />
        )}
        {isOpen && ticket.assignee_id === null && <TakeButton ticket={ticket} />}
        <Assignee ticket={ticket} onChange={onChange} />
        <Button
          size="xs"
          variant="default"
          className={classes.headButton}
          leftSection={isOpen ? <IconCheck size={14} /> : <IconRotateClockwise size={14} />}
          onClick={() => onChange({ status: isOpen ? 'closed' : 'open' })}
          aria-label={isOpen ? 'Close' : 'Reopen'}
        >
          <span>{isOpen ? 'Close' : 'Reopen'}</span>
        </Button>
      </IfMay>
      <Tooltip label={`About ${name}`}>
        <ActionIcon
          variant="subtle"
          color="gray"
          onClick={onShowContact}
          aria-label={`Show contact ${name}`}
          className={classes.onNarrow}
        >
          <IconInfoCircle size={20} />
        </ActionIcon>
      </Tooltip>
    </header>
  )
}

/** Nothing for an open conversation: the button beside it says so, and the reply window would not fit. */
function stateText({ status, snoozed_until: until }: Ticket): string | undefined {
  if (status === 'closed') return 'Closed'
  return until ? `Snoozed until ${timeText(new Date(until))}` : undefined
}

function PriorityMenu({ ticket, onChange }: Pick<Props, 'ticket' | 'onChange'>) {
  const { priority } = ticket
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          className={classes.headButton}
          data-compact
          data-priority={priority}
          aria-label={`Priority ${priority}`}
          title={`Priority: ${priority}`}
        >
          <IconFlag size={14} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Priority</Menu.Label>
        {priorityChoices.map(({ value, label }) => (
          <Menu.Item
            key={value}
            leftSection={<PriorityIcon priority={value} />}
            disabled={value === priority}
            onClick={() => onChange({ priority: value })}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function Assignee({ ticket, onChange }: Pick<Props, 'ticket' | 'onChange'>) {
  const { nameOf: nameOfMember } = useMembers()
  const name = nameOfMember(ticket.assignee_id, 'You')
  const assign = (assignee_id: string | null) => onChange({ assignee_id })
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          className={classes.headButton}
          leftSection={<IconUserCircle size={14} />}
          aria-label={name ? `Assigned to ${name}` : 'Assign'}
        >
          <span>{name ?? 'Assign'}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown {...memberDropdown}>
        <Menu.Label>Assigned to</Menu.Label>
        <MemberItems chosen={ticket.assignee_id} onChoose={assign} />
        {ticket.assignee_id && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={() => assign(null)}>Unassign</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
