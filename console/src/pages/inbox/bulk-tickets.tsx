import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, Button, Checkbox, Group, Menu, Modal, Stack, Text, Tooltip } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconBellZ, IconCheck, IconFlag, IconRotateClockwise, IconTag, IconUserCircle } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { api } from '../../data/api.ts'
import { useRefresh } from '../../data/use-records.ts'
import { TagsField } from '../../records/contacts/tags-field.tsx'
import { MemberItems, memberDropdown } from '../../records/members/member-menu.tsx'
import { releaseNow } from '../../records/messages/outbox.ts'
import { useTicketTags } from '../../records/tickets/use-ticket-tags.ts'
import classes from './inbox.module.css'
import { PriorityIcon, priorityChoices } from './priorities.tsx'
import { SnoozeMenu } from './snooze-menu.tsx'
import { complain, type Ticket } from './tickets.ts'

type Changes = Omit<types.BulkTicketChanges, 'ids'>
const mostIds = 500
const counted = (n: number) => `${n.toLocaleString()} ${n === 1 ? 'conversation' : 'conversations'}`

/** Actions on the selected conversations, in place of the filters. */
export function BulkTickets({
  rows,
  selected,
  select,
}: {
  rows: Ticket[]
  selected: ReadonlySet<string>
  select(ids: ReadonlySet<string>): void
}) {
  const refresh = useRefresh('tickets')
  const [isTagging, setTagging] = useState(false)
  const chosen = rows.filter(({ id }) => selected.has(id))
  const areClosed = chosen.every(({ status }) => status === 'closed')

  async function change(done: string, changes: Changes): Promise<void> {
    const { inbox } = api
    const ids = [...selected].slice(0, mostIds)
    if (changes.status === 'closed') await Promise.all(ids.map(releaseNow))
    try {
      const { updated, failed } = await inbox.updateTickets({ ids, ...changes })
      select(new Set(failed.map(({ id }) => id)))
      notifications.show({
        message: `${done}: ${counted(updated.length)}`,
        ...(failed.length > 0 && {
          color: 'yellow',
          title: `${counted(failed.length)} could not be changed`,
          message: `${done}: ${counted(updated.length)}. ${failed[0]?.detail}`,
        }),
      })
    } catch (error) {
      complain('Could not update the conversations', error)
    } finally {
      void refresh()
    }
  }

  const assign = (assignee_id: string | null) => void change(assignee_id ? 'Assigned' : 'Unassigned', { assignee_id })
  return (
    <div className={classes.bulk} role="toolbar" aria-label="Selected conversations">
      <Group gap="xs" wrap="nowrap">
        <Checkbox
          size="xs"
          aria-label="Select all loaded conversations"
          checked={rows.length > 0 && chosen.length === rows.length}
          indeterminate={chosen.length > 0 && chosen.length < rows.length}
          onChange={({ currentTarget }) =>
            select(new Set(currentTarget.checked ? rows.slice(0, mostIds).map(({ id }) => id) : []))
          }
        />
        <Text size="sm" fw={600} flex={1} aria-live="polite">
          {selected.size.toLocaleString()} selected
        </Text>
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => select(new Set())}>
          Clear
        </Button>
      </Group>
      <Group gap={4} wrap="nowrap" mt={6}>
        <Button
          size="xs"
          variant="default"
          leftSection={areClosed ? <IconRotateClockwise size={14} /> : <IconCheck size={14} />}
          onClick={() => void change(areClosed ? 'Reopened' : 'Closed', { status: areClosed ? 'open' : 'closed' })}
        >
          {areClosed ? 'Reopen' : 'Close'}
        </Button>
        <Menu position="bottom-start" width={220}>
          <Menu.Target>
            <Tool label="Assign selected" icon={<IconUserCircle size={16} />} />
          </Menu.Target>
          <Menu.Dropdown {...memberDropdown}>
            <MemberItems onChoose={assign} />
            <Menu.Divider />
            <Menu.Item onClick={() => assign(null)}>Unassign</Menu.Item>
          </Menu.Dropdown>
        </Menu>
        <SnoozeMenu
          target={<Tool label="Snooze selected" icon={<IconBellZ size={16} />} />}
          onSnooze={(snoozed_until) => void change('Snoozed', { snoozed_until })}
        />
        <Menu position="bottom-start">
          <Menu.Target>
            <Tool label="Set priority of selected" icon={<IconFlag size={16} />} />
          </Menu.Target>
          <Menu.Dropdown>
            {priorityChoices.map(({ value, label }) => (
              <Menu.Item
                key={value}
                leftSection={<PriorityIcon priority={value} />}
                onClick={() => void change(`Priority ${label.toLowerCase()}`, { priority: value })}
              >
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <Tool label="Tag selected" icon={<IconTag size={16} />} onClick={() => setTagging(true)} />
      </Group>
      <Modal opened={isTagging} onClose={() => setTagging(false)} title={`Tag ${counted(selected.size)}`}>
        <TagForm
          present={[...new Set(chosen.flatMap(({ tags }) => tags))]}
          onSubmit={(changes, done) => {
            setTagging(false)
            void change(done, changes)
          }}
        />
      </Modal>
    </div>
  )
}

function Tool({ label, icon, ...props }: { label: string; icon: React.ReactNode; onClick?(): void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size={30} aria-label={label} {...props}>
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}

function TagForm({ present, onSubmit }: { present: string[]; onSubmit(changes: Changes, done: string): void }) {
  const [tags, setTags] = useState<string[]>([])
  const known = useTicketTags()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (tags.length > 0) onSubmit({ add_tags: tags }, 'Tagged')
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TagsField value={tags} onChange={setTags} suggestions={[...new Set([...present, ...known])]} autoFocus />
        <Group justify="flex-end" gap="xs">
          <Button
            variant="default"
            disabled={!tags.some((tag) => present.includes(tag))}
            onClick={() => onSubmit({ remove_tags: tags }, 'Untagged')}
          >
            Remove tags
          </Button>
          <Button type="submit" disabled={tags.length === 0}>
            Add tags
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
