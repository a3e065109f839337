import type { api as types } from '@frontdesk/sdk'
import { Group, Stack, Text } from '@mantine/core'
import { IconLock, IconPaperclip } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { may, useMe } from '../../data/session.tsx'
import { useCursorList, useRefresh } from '../../data/use-records.ts'
import { NewButton } from '../../ui/add-button.tsx'
import { askFirst } from '../../ui/ask-first.tsx'
import { EditButtons } from '../../ui/edit-buttons.tsx'
import { Moment } from '../../ui/moment.tsx'
import { type Column, RecordList } from '../../ui/record-list.tsx'
import { useFilters } from '../../ui/use-filters.ts'
import { useLast } from '../../ui/use-last.ts'
import { SavedReplyForm } from './saved-reply-form.tsx'

type SavedReply = types.SavedReply

const fileNames = (files: SavedReply['attachments']) => files.map(({ file_name }) => file_name).join(', ')

/** Texts that members send often. */
export function SavedRepliesTab() {
  const mayWrite = may(useMe(), 'inbox:write')
  const refresh = useRefresh('saved-replies')
  const filters = useFilters(['search'])
  const { search } = filters.values
  const list = useCursorList<SavedReply>(['saved-replies', search ?? ''], (starting_after, signal) =>
    api.savedReplies.list({ ...(search && { search }), ...(starting_after && { starting_after }) }, { signal }),
  )
  const [editing, setEditing] = useState<SavedReply | 'new'>()
  const shown = useLast(editing)
  // Also after Cancel: a save whose file was refused has stored the reply.
  const done = () => {
    setEditing(undefined)
    void refresh()
  }
  const remove = ({ id, name, shared }: SavedReply) =>
    askFirst({
      title: `Delete the saved reply ${name}?`,
      consequence: shared
        ? 'No one can use it anymore. Messages already sent are not affected.'
        : 'Messages already sent are not affected.',
      action: 'Delete saved reply',
      run: async () => {
        await api.savedReplies.delete(id)
        await refresh()
      },
    })
  const newButton = <NewButton onClick={() => setEditing('new')}>New saved reply</NewButton>
  const columns: Column<SavedReply>[] = [
    {
      label: 'Name',
      cell: ({ name, body, shared, attachments }) => (
        <>
          <Group gap={6} wrap="nowrap">
            <Text size="sm" fw={550} truncate>
              <bdi>{name}</bdi>
            </Text>
            {!shared && <IconLock size={13} aria-label="Private" />}
            {attachments.length > 0 && <IconPaperclip size={13} aria-label={`With ${fileNames(attachments)}`} />}
          </Group>
          <Text size="xs" c="dimmed" lineClamp={2} dir="auto">
            {body || fileNames(attachments)}
          </Text>
        </>
      ),
    },
    { label: 'Used', cell: ({ use_count }) => use_count.toLocaleString(), from: 'sm', align: 'right', width: 90 },
    {
      label: 'Last used',
      cell: ({ last_used_at }) => <Moment at={last_used_at} />,
      from: 'md',
      width: 140,
      noWrap: true,
    },
    ...(mayWrite
      ? [
          {
            label: 'Actions',
            isLabelHidden: true,
            width: 150,
            cell: (reply: SavedReply) => (
              <EditButtons name={reply.name} edit={() => setEditing(reply)} remove={() => remove(reply)} />
            ),
          },
        ]
      : []),
  ]
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          Type / in a reply to use one.
        </Text>
        <Group gap="xs">
          <ApiRequest method="GET" path="/inbox/saved-replies" />
          {mayWrite && newButton}
        </Group>
      </Group>
      <RecordList
        list={list}
        label="Saved replies"
        columns={columns}
        filters={filters}
        fields={[{ name: 'search', label: 'Search saved replies' }]}
        empty={{
          title: 'No saved replies',
          text: 'Save answers that you send often, with the customer’s name filled in.',
          action: mayWrite && newButton,
        }}
      />
      <SavedReplyForm
        opened={editing !== undefined}
        reply={shown === 'new' ? undefined : shown}
        close={done}
        onSaved={done}
      />
    </Stack>
  )
}
