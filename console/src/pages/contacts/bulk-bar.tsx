import type { api as types } from '@frontdesk/sdk'
import { Affix, Button, Group, Menu, Modal, Paper, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { modals } from '@mantine/modals'
import { IconFlag, IconTag, IconTagOff, IconTrash, IconX } from '@tabler/icons-react'
import { type FormEvent, useDeferredValue, useEffect, useState } from 'react'
import { api } from '../../data/api.ts'
import { useRefresh } from '../../data/use-records.ts'
import { stages } from '../../records/contacts/stages.tsx'
import { TagsField } from '../../records/contacts/tags-field.tsx'
import { useTags } from '../../records/contacts/use-tags.ts'
import { editAll } from './bulk-edit.ts'
import { oneByOne } from './one-by-one.ts'

type Contact = types.Contact

/** Actions on the selected contacts. */
export function BulkBar({
  selected: chosen,
  clear,
  isPhone,
  matching,
}: {
  selected: ReadonlyMap<string, Contact>
  clear(): void
  isPhone: boolean | undefined
  /** All contacts of the list, on every page. */
  matching: { filter: types.NewBulkEdit['filter']; total: number | undefined }
}) {
  // The checkboxes render first, then this bar.
  const deferred = useDeferredValue(chosen)
  const selected = [...deferred.values()]
  const isNarrow = useMediaQuery('(max-width: 68em)', undefined, { getInitialValueInEffect: false })
  const [tagging, setTagging] = useState<'add' | 'remove'>()
  const refresh = useRefresh('contacts')
  const [wantsAll, setWantsAll] = useState(false)
  const { filter, total = 0 } = matching
  // Another filter matches other contacts.
  const filterKey = JSON.stringify(filter)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the filter
  useEffect(() => setWantsAll(false), [filterKey])
  const isAll = wantsAll && selected.length > 0
  const count = isAll ? total : selected.length
  const many = `${count.toLocaleString()} ${count === 1 ? 'contact' : 'contacts'}`

  const setStage = (stage: Contact['stage']) =>
    run(
      { stage },
      `Moving ${many}`,
      `${many} moved`,
      (contact) => api.contacts.update(contact.id, { stage }),
      (contact) => api.contacts.update(contact.id, { stage: contact.stage }),
    )

  /** The API replaces the whole list of tags, so the current tags are fetched first. */
  async function changeTags(tags: string[], isAdding: boolean) {
    setTagging(undefined)
    const before = new Map<string, string[]>()
    await run(
      isAdding ? { add_tags: tags } : { remove_tags: tags },
      `Tagging ${many}`,
      `${many} ${isAdding ? 'tagged' : 'untagged'}`,
      async ({ id }) => {
        const present = (await api.contacts.get(id)).tags
        before.set(id, present)
        const wanted = isAdding ? [...present, ...tags] : present.filter((tag) => !tags.includes(tag))
        await api.contacts.update(id, { tags: wanted })
      },
      ({ id }) => api.contacts.update(id, { tags: before.get(id) ?? [] }),
    )
  }

  async function run(
    edit: Omit<types.NewBulkEdit, 'filter'>,
    doing: string,
    done: string,
    act: (contact: Contact) => Promise<unknown>,
    undo?: (contact: Contact) => Promise<unknown>,
  ) {
    clear()
    if (isAll) {
      setWantsAll(false)
      await editAll({ ...edit, filter }, doing, refresh)
    } else await oneByOne(selected, { doing, done, act, undo, after: refresh })
  }

  const remove = () =>
    modals.openConfirmModal({
      title: `Delete ${many}?`,
      children: (
        <Text size="sm">
          Their timelines, tasks, conversations and messages are deleted too. Call logs and campaign deliveries stay,
          without a name. You cannot undo this.
        </Text>
      ),
      labels: { confirm: `Delete ${many}`, cancel: 'Cancel' },
      confirmProps: { color: 'red' },
      onConfirm: () =>
        void run({ delete: true }, `Deleting ${many}`, `${many} deleted`, ({ id }) => api.contacts.delete(id)),
    })

  return (
    <>
      {selected.length > 0 && (
        <Affix
          {...(isNarrow
            ? { position: { bottom: isPhone ? 64 : 20, left: 8, right: 8 } }
            : { position: { bottom: 20, left: 'calc(50% + 104px)' }, style: { transform: 'translateX(-50%)' } })}
        >
          <Paper withBorder shadow="md" p="xs" role="toolbar" aria-label="Selected contacts">
            <Group gap="xs" wrap={isNarrow ? 'wrap' : 'nowrap'}>
              <Text size="sm" fw={600} px="xs" style={{ whiteSpace: 'nowrap' }} aria-live="polite">
                {count.toLocaleString()} selected
              </Text>
              {!isAll && total > selected.length && (
                <Button size="xs" variant="subtle" onClick={() => setWantsAll(true)}>
                  Select all {total.toLocaleString()}
                </Button>
              )}
              <Button size="xs" variant="default" leftSection={<IconTag size={14} />} onClick={() => setTagging('add')}>
                Add tags
              </Button>
              <Button
                size="xs"
                variant="default"
                leftSection={<IconTagOff size={14} />}
                onClick={() => setTagging('remove')}
              >
                Remove tags
              </Button>
              <Menu position="top">
                <Menu.Target>
                  <Button size="xs" variant="default" leftSection={<IconFlag size={14} />}>
                    Set stage
                  </Button>
                </Menu.Target>
                <Menu.Dropdown>
                  {stages.map(({ value, label }) => (
                    <Menu.Item key={value} onClick={() => void setStage(value)}>
                      {label}
                    </Menu.Item>
                  ))}
                </Menu.Dropdown>
              </Menu>
              <Button
                size="xs"
                variant="default"
                c="var(--mantine-color-error)"
                leftSection={<IconTrash size={14} />}
                onClick={remove}
              >
                Delete
              </Button>
              <Button size="xs" variant="subtle" color="gray" leftSection={<IconX size={14} />} onClick={clear}>
                Clear
              </Button>
            </Group>
          </Paper>
        </Affix>
      )}
      <Modal
        opened={tagging !== undefined}
        onClose={() => setTagging(undefined)}
        title={tagging === 'add' ? `Add tags to ${many}` : `Remove tags from ${many}`}
      >
        <TagForm isAdding={tagging === 'add'} contacts={selected} submit={changeTags} />
      </Modal>
    </>
  )
}

function TagForm({
  isAdding,
  contacts,
  submit,
}: {
  isAdding: boolean
  contacts: Contact[]
  submit(tags: string[], isAdding: boolean): Promise<void>
}) {
  const [tags, setTags] = useState<string[]>([])
  const known = useTags().map(({ tag }) => tag)
  const present = [...new Set(contacts.flatMap((contact) => contact.tags))]
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (tags.length > 0) void submit(tags, isAdding)
  }
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <TagsField value={tags} onChange={setTags} suggestions={isAdding ? known : present} autoFocus />
        <Button type="submit" disabled={tags.length === 0}>
          {isAdding ? 'Add' : 'Remove'}
        </Button>
      </Stack>
    </form>
  )
}
