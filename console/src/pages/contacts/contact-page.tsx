import { ApiError } from '@frontdesk/sdk'
import { Button, Grid, Menu, Skeleton, Stack, Tabs } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import {
  IconDots,
  IconDownload,
  IconEraser,
  IconGitMerge,
  IconMessage,
  IconPencil,
  IconSquarePlus,
  IconTrash,
} from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Navigate, useNavigate, useParams, useSearchParams } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { MissingRecord } from '../../data/missing-record.tsx'
import { isMissing } from '../../data/queries.ts'
import { IfMay, mayManage, useMe } from '../../data/session.tsx'
import { useRecord } from '../../data/use-records.ts'
import { StartCall } from '../../records/calls/start-call.tsx'
import { callName } from '../../records/contacts/stages.tsx'
import { useTaskForm } from '../../records/tasks/task-form.tsx'
import { RecordPage } from '../../ui/record-page.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { showFault } from '../../ui/undo.tsx'
import { ContactConsents } from './contact-consents.tsx'
import { ContactDetails } from './contact-details.tsx'
import { ContactDrawer } from './contact-drawer.tsx'
import { ContactDuplicates } from './contact-duplicates.tsx'
import { ContactIdentities } from './contact-identities.tsx'
import { ContactCalls, ContactConversations, ContactTasks } from './contact-tabs.tsx'
import { DeleteContact } from './delete-contact.tsx'
import { askToErase } from './erase-contact.tsx'
import { ExportContact } from './export-contact.tsx'
import { MergeContact } from './merge-contact.tsx'
import { NoteBox } from './note-box.tsx'
import { Timeline } from './timeline.tsx'

export function ContactPage() {
  const { contactId = '' } = useParams()
  // The key resets all forms when another contact is opened.
  return <ContactRecord key={contactId} contactId={contactId} />
}

function ContactRecord({ contactId }: { contactId: string }) {
  const { data, error, refetch } = useRecord(['contacts', contactId], (signal) =>
    api.contacts.get(contactId, { signal }),
  )
  const contact = data?.id === contactId ? data : undefined
  const navigate = useNavigate()
  const openTask = useTaskForm()
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const [isEditing, editing] = useDisclosure()
  const [isDeleting, deleting] = useDisclosure()
  const [isExporting, exporting] = useDisclosure()
  // Null: the member chooses the other contact.
  const [mergedId, setMergedId] = useState<string | null>()
  const canManage = mayManage(useMe())
  const writing = useMutation({
    mutationFn: () => api.inbox.createTicket({ contact_id: contactId }),
    onSuccess: ({ id }) => navigate(`/inbox/${id}`),
    onError: (problem) => showFault(problem),
  })
  const request = <ApiRequest method="GET" path={`/contacts/${contactId}`} />
  const details = contact ? (
    <Stack gap="md">
      <ContactDetails contact={contact} onEdit={editing.open} />
      <ContactDuplicates contactId={contactId} onMerge={setMergedId} />
      <ContactIdentities identities={contact.identities} />
    </Stack>
  ) : (
    <Skeleton height={320} />
  )
  const mergedInto = mergedIntoOf(error)
  if (mergedInto) return <Navigate to={`/contacts/${mergedInto}`} replace />
  if (isMissing(error)) return <MissingRecord what="Contact" />
  if (error && !contact) return <ErrorState error={error} retry={refetch} />
  return (
    <RecordPage
      list={{ to: '/contacts', label: 'Contacts' }}
      title={contact && callName(contact)}
      fallback="Contact"
      actions={
        contact && (
          <>
            {!isPhone && request}
            <IfMay scope="inbox:write">
              <Button
                size="xs"
                leftSection={<IconMessage size={14} />}
                loading={writing.isPending}
                onClick={() => writing.mutate()}
              >
                Message
              </Button>
            </IfMay>
            {contact.phone_number && <StartCall contact={contact} label="Call" size="xs" />}
            <IfMay scope="contacts:write">
              <Button
                size="xs"
                variant="default"
                leftSection={<IconSquarePlus size={14} />}
                onClick={() => openTask({ contact })}
              >
                New task
              </Button>
              <Button size="xs" variant="default" leftSection={<IconPencil size={14} />} onClick={editing.open}>
                Edit
              </Button>
              <Menu position="bottom-end">
                <Menu.Target>
                  <Button size="xs" variant="default" px={8} aria-label="More">
                    <IconDots size={14} />
                  </Button>
                </Menu.Target>
                <Menu.Dropdown>
                  {canManage && (
                    <Menu.Item leftSection={<IconDownload size={14} />} onClick={exporting.open}>
                      Export personal data
                    </Menu.Item>
                  )}
                  <Menu.Item leftSection={<IconGitMerge size={14} />} onClick={() => setMergedId(null)}>
                    Merge with another contact
                  </Menu.Item>
                  <Menu.Item color="red" leftSection={<IconTrash size={14} />} onClick={deleting.open}>
                    Delete contact
                  </Menu.Item>
                  {canManage && (
                    <Menu.Item
                      color="red"
                      leftSection={<IconEraser size={14} />}
                      onClick={() => askToErase(contact, () => navigate('/contacts', { replace: true }))}
                    >
                      Erase personal data
                    </Menu.Item>
                  )}
                </Menu.Dropdown>
              </Menu>
            </IfMay>
            {isPhone && request}
          </>
        )
      }
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <ContactTabs contactId={contactId} details={isPhone ? details : undefined} />
        </Grid.Col>
        {!isPhone && <Grid.Col span={{ base: 12, md: 4 }}>{details}</Grid.Col>}
      </Grid>
      {contact && (
        <>
          {isEditing && <ContactDrawer contact={contact} opened onClose={editing.close} />}
          {isExporting && <ExportContact contact={contact} onClose={exporting.close} />}
          {mergedId !== undefined && (
            <MergeContact contact={contact} suggestedId={mergedId} onClose={() => setMergedId(undefined)} />
          )}
          <DeleteContact contact={contact} opened={isDeleting} onClose={deleting.close} />
        </>
      )}
    </RecordPage>
  )
}

/** The contact that has everything of the one in the address. */
function mergedIntoOf(error: unknown): string | undefined {
  const body = error instanceof ApiError && error.status === 404 ? error.body : undefined
  const id = (body as { merged_into?: unknown } | undefined)?.merged_into
  return typeof id === 'string' ? id : undefined
}

const tabs = ['timeline', 'details', 'tasks', 'calls', 'conversations', 'consent'] as const

/** On a phone the details are a tab, so that the timeline comes first. */
function ContactTabs({ contactId, details }: { contactId: string; details: ReactNode }) {
  const [params, setParams] = useSearchParams()
  const asked = tabs.find((each) => each === params.get('tab')) ?? 'timeline'
  const tab = asked === 'details' && !details ? 'timeline' : asked
  const kinds = params.get('show')?.split(',').filter(Boolean) ?? []
  const set = (name: string, value: string | undefined) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true },
    )
  return (
    <Tabs
      value={tab}
      onChange={(next) => set('tab', next === 'timeline' ? undefined : (next ?? undefined))}
      keepMounted={false}
    >
      <Tabs.List mb="md" style={{ flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }}>
        <Tabs.Tab value="timeline">Timeline</Tabs.Tab>
        {details && <Tabs.Tab value="details">Details</Tabs.Tab>}
        <Tabs.Tab value="tasks">Tasks</Tabs.Tab>
        <Tabs.Tab value="calls">Calls</Tabs.Tab>
        <Tabs.Tab value="conversations">Conversations</Tabs.Tab>
        <Tabs.Tab value="consent">Consent</Tabs.Tab>
      </Tabs.List>
      {/* Stays mounted so that an unfinished note survives a change of tabs. */}
      <Tabs.Panel value="timeline" keepMounted>
        <IfMay scope="contacts:write">
          <NoteBox contactId={contactId} />
        </IfMay>
        <Timeline
          contactId={contactId}
          kinds={kinds}
          onKinds={(chosen) => set('show', chosen.join(',') || undefined)}
        />
      </Tabs.Panel>
      <Tabs.Panel value="details">{details}</Tabs.Panel>
      <Tabs.Panel value="tasks">
        <ContactTasks contactId={contactId} />
      </Tabs.Panel>
      <Tabs.Panel value="calls">
        <ContactCalls contactId={contactId} />
      </Tabs.Panel>
      <Tabs.Panel value="conversations">
        <ContactConversations contactId={contactId} />
      </Tabs.Panel>
      <Tabs.Panel value="consent">
        <ContactConsents contactId={contactId} />
      </Tabs.Panel>
    </Tabs>
  )
}
