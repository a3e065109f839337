import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, Badge, Checkbox, Group, Popover, ScrollArea, Stack, Text, Tooltip } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconColumns3 } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import { Handling } from '../../records/contacts/handling.tsx'
import { StageStatus } from '../../records/contacts/stages.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Status } from '../../ui/status.tsx'

type Contact = types.ListedContact

interface Column {
  key: string
  label: string
  cell(contact: Contact): ReactNode
}

const fixedColumns: Column[] = [
  {
    key: 'phone_number',
    label: 'Phone',
    cell: ({ phone_number, username }) => phone_number || (username ? <bdi>@{username}</bdi> : '–'),
  },
  { key: 'stage', label: 'Stage', cell: ({ stage }) => <StageStatus stage={stage} /> },
  { key: 'tags', label: 'Tags', cell: ({ tags }) => <Tags tags={tags} /> },
  { key: 'ai_handling', label: 'Handled by', cell: ({ handled_by }) => handled_by && <Handling by={handled_by} /> },
  { key: 'last_activity_at', label: 'Last activity', cell: ({ last_activity_at }) => <Moment at={last_activity_at} /> },
  { key: 'created_at', label: 'Created', cell: ({ created_at }) => <Moment at={created_at} /> },
  {
    key: 'opted_out_at',
    label: 'Marketing',
    cell: ({ opted_out_at }) => (opted_out_at ? <Status tone="bad">Opted out</Status> : 'Allowed'),
  },
  { key: 'notes', label: 'Notes', cell: ({ notes }) => <Short>{notes}</Short> },
]

const custom = 'custom_fields.'
const usual = ['phone_number', 'stage', 'tags', 'ai_handling', 'last_activity_at']

export const plainValue = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

/** The columns chosen in this browser, and the column chooser. */
export function useContactColumns(contacts: Contact[]) {
  const [chosen, setChosen] = useLocalStorage({
    key: 'contact-columns',
    defaultValue: usual,
    getInitialValueInEffect: false,
  })
  const names = JSON.stringify([...new Set(contacts.flatMap(({ custom_fields }) => Object.keys(custom_fields)))].sort())
  return useMemo(() => {
    const kept = chosen.filter((key) => key.startsWith(custom)).map((key) => key.slice(custom.length))
    const customColumns: Column[] = [...new Set<string>([...JSON.parse(names), ...kept])].sort().map((name) => ({
      key: custom + name,
      label: name,
      cell: ({ custom_fields }) => <Short>{plainValue(custom_fields[name])}</Short>,
    }))
    const all = [...fixedColumns, ...customColumns]
    return { columns: all.filter(({ key }) => chosen.includes(key)), chooser: { all, chosen, setChosen } }
  }, [names, chosen, setChosen])
}

export function ColumnChooser({ all, chosen, setChosen }: ReturnType<typeof useContactColumns>['chooser']) {
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Tooltip label="Columns">
          <ActionIcon variant="default" size={30} aria-label="Choose columns">
            <IconColumns3 size={16} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown>
        <ScrollArea.Autosize mah={360}>
          <Checkbox.Group value={chosen} onChange={setChosen} aria-label="Columns">
            <Stack gap="xs">
              {all.map(({ key, label }) => (
                <Checkbox key={key} value={key} label={label} size="xs" />
              ))}
            </Stack>
          </Checkbox.Group>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  )
}

const shownTags = 3

export function Tags({ tags, all = false }: { tags: string[]; all?: boolean }) {
  const shown = all ? tags : tags.slice(0, shownTags)
  const more = tags.slice(shown.length)
  return (
    <Group gap={4} wrap={all ? 'wrap' : 'nowrap'}>
      {shown.map((tag) => (
        <Badge key={tag} variant="default" size="sm" tt="none" fw={500} maw={140} w="max-content">
          {tag}
        </Badge>
      ))}
      {more.length > 0 && (
        <Tooltip label={more.join(', ')}>
          <Text span size="xs" c="dimmed">
            +{more.length}
          </Text>
        </Tooltip>
      )}
    </Group>
  )
}

function Short({ children }: { children: string }) {
  return (
    <Text span size="sm" truncate display="block" maw={220} title={children} dir="auto">
      {children || '–'}
    </Text>
  )
}
