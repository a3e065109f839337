import { type ApiError, ConflictError, type api as types } from '@frontdesk/sdk'
import { Alert, Anchor, Button, Drawer, Group, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { useApiForm } from '../../data/use-api-form.ts'
import { useRefresh } from '../../data/use-records.ts'
import { callName, type Stage, stages } from '../../records/contacts/stages.tsx'
import { TagsField } from '../../records/contacts/tags-field.tsx'
import { useTags } from '../../records/contacts/use-tags.ts'
import { releaseTo } from '../../records/messages/outbox.ts'
import { FormError } from '../../ui/form-error.tsx'
import { showDone } from '../../ui/undo.tsx'
import { useUnsavedGuard } from '../../ui/unsaved.tsx'
import { CustomFieldsInput, fromRows, toRows } from './custom-fields.tsx'

type Contact = types.Contact

/** Creates or edits a contact. */
export function ContactDrawer({
  contact,
  opened,
  onClose,
  onCreated,
}: {
  contact?: Contact
  opened: boolean
  onClose(): void
  onCreated?: (contact: Contact) => void
}) {
  const [isDirty, setDirty] = useState(false)
  const close = () => {
    if (isDirty && !window.confirm('Close without saving? Your changes will be lost.')) return
    setDirty(false)
    onClose()
  }
  return (
    <Drawer opened={opened} onClose={close} position="right" title={contact ? 'Edit contact' : 'New contact'}>
      <ContactForm
        contact={contact}
        onDirty={setDirty}
        onDone={(created) => {
          setDirty(false)
          if (created) onCreated?.(created)
          else onClose()
        }}
      />
    </Drawer>
  )
}

const valuesOf = (contact: Contact | undefined) => ({
  name: contact?.name ?? '',
  first_name: contact?.first_name ?? '',
  phone_number: contact?.phone_number ?? '',
  tags: contact?.tags ?? [],
  stage: contact?.stage ?? ('new' as Stage),
  ai_handling: contact?.ai_handling ?? true,
  time_zone: contact?.time_zone ?? null,
  notes: contact?.notes ?? '',
  custom_fields: toRows(contact?.custom_fields ?? {}),
})
type Values = ReturnType<typeof valuesOf>

function ContactForm({
  contact,
  onDirty,
  onDone,
}: {
  contact: Contact | undefined
  onDirty(isDirty: boolean): void
  /** Called with the contact if it was created. */
  onDone(created?: Contact): void
}) {
  const refresh = useRefresh('contacts')
  const [takenBy, setTakenBy] = useState<string>()
  const [before] = useState(() => valuesOf(contact))
  const tags = useTags().map(({ tag }) => tag)

  const form = useApiForm<Values>({
    initialValues: before,
    async submit(values) {
      setTakenBy(undefined)
      const { contacts } = api
      const wanted = { ...values, custom_fields: fromRows(values.custom_fields) }
      // A reply that is sent after the hand-off would take over again.
      if (contact && values.ai_handling !== before.ai_handling) await releaseTo(contact.id)
      const saved = contact
        ? await contacts.update(contact.id, changed(wanted, { ...before, custom_fields: contact.custom_fields }))
        : await contacts.create(wanted)
      await refresh()
      showDone(contact ? 'Saved' : `Created ${callName(saved)}`)
      onDone(contact ? undefined : saved)
    },
    explain(error: ApiError) {
      const owner = error instanceof ConflictError ? error.existingId : undefined
      setTakenBy(owner)
      return owner && 'Another contact already has this phone number.'
    },
  })

  useUnsavedGuard(form.isDirty && !form.isWorking)

  function set<K extends keyof Values>(name: K, value: Values[K]) {
    form.set(name, value)
    onDirty(true)
  }
  const field = (name: 'name' | 'first_name' | 'phone_number' | 'notes') => ({
    ...form.field(name),
    onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value),
  })

  return (
    <form onSubmit={form.onSubmit} noValidate>
      <Stack>
        <TextInput label="Name" autoComplete="off" data-autofocus dir="auto" {...field('name')} />
        <TextInput
          label="First name"
          description="Used to address the contact in messages"
          placeholder={form.values.name.trim().split(/\s+/)[0]}
          autoComplete="off"
          dir="auto"
          {...field('first_name')}
        />
        <TextInput
          label="Phone number"
          description="With + and country code, or as dialed in your default country"
          type="tel"
          autoComplete="off"
          withAsterisk={!contact}
          {...field('phone_number')}
        />
        {takenBy && (
          <Alert color="yellow" variant="light" py="xs">
            <Anchor component={Link} to={`/contacts/${takenBy}`} size="sm" onClick={() => onDone()}>
              Open that contact
            </Anchor>
          </Alert>
        )}
        <TagsField
          value={form.values.tags}
          onChange={(value) => set('tags', value)}
          suggestions={tags}
          error={form.errors.tags}
        />
        <Select
          label="Stage"
          data={stages.map(({ value, label }) => ({ value, label }))}
          value={form.values.stage}
          onChange={(value) => value && set('stage', value as Stage)}
          error={form.errors.stage}
          allowDeselect={false}
        />
        <Select
          label="Time zone"
          description="For sending times of campaigns"
          placeholder="From the phone number"
          searchable
          clearable
          data={Intl.supportedValuesOf('timeZone')}
          value={form.values.time_zone}
          onChange={(value) => set('time_zone', value)}
          error={form.errors.time_zone}
        />
        <Switch
          label="AI replies"
          description="If an agent is assigned to the channel"
          checked={form.values.ai_handling}
          onChange={(event) => set('ai_handling', event.currentTarget.checked)}
        />
        <Textarea label="Notes" autosize minRows={2} maxRows={8} dir="auto" {...field('notes')} />
        <CustomFieldsInput
          value={form.values.custom_fields}
          onChange={(rows) => set('custom_fields', rows)}
          error={form.errors.custom_fields}
        />
        <FormError form={form} />
        <Group justify="flex-end">
          <Button type="submit" loading={form.isWorking}>
            {contact ? 'Save' : 'Create contact'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Only the edited fields, so that changes made elsewhere are kept. */
function changed<T extends object>(wanted: T, before: T): Partial<T> {
  const names = Object.keys(wanted) as (keyof T)[]
  const entries = names.filter((name) => JSON.stringify(wanted[name]) !== JSON.stringify(before[name]))
  return Object.fromEntries(entries.map((name) => [name, wanted[name]])) as Partial<T>
}
