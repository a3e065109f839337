import type { api as types } from '@frontdesk/sdk'
import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { api, fileAddress } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { may, useMe } from '../../data/session.tsx'
import { useCursorList } from '../../data/use-records.ts'
import { capitalized } from '../../ui/capitalized.ts'
import { Fact, Facts, ShownId } from '../../ui/facts.tsx'
import { JsonBody } from '../../ui/json-body.tsx'
import { Moment } from '../../ui/moment.tsx'
import { RecordList } from '../../ui/record-list.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { useFilters } from '../../ui/use-filters.ts'

const objects: Record<string, string> = {
  agent: 'Agent',
  assignment_rule: 'Assignment rule',
  audit_log: 'Audit log',
  call: 'Call',
  campaign: 'Campaign',
  channel: 'Channel',
  collection: 'Collection',
  contact: 'Contact',
  document: 'Document',
  document_replacement: 'Document replacement',
  domain: 'Domain',
  erasure: 'Erasure',
  faq: 'FAQ',
  inbox_view: 'Inbox view',
  invitation: 'Invitation',
  job: 'Job',
  key: 'API key',
  member: 'Member',
  member_availability: 'Availability',
  member_channel: 'Access to a channel',
  member_team: 'Access to a team',
  note: 'Note',
  organization: 'Organization',
  password: 'Password',
  person_export: 'Personal data export',
  privacy_settings: 'Privacy settings',
  provider_key: 'Provider key',
  recovery_code: 'Recovery code',
  report: 'Report',
  role: 'Role',
  saved_reply: 'Saved reply',
  saved_reply_attachment: 'Saved reply attachment',
  schedule: 'Business hours',
  second_factor: 'Second factor',
  session: 'Session',
  sign_in: 'Sign-in',
  sla_policy: 'SLA policy',
  task: 'Task',
  team: 'Team',
  team_member: 'Team member',
  template: 'Template',
  template_media: 'File for headers',
  webhook: 'Webhook',
  website: 'Website',
}

const typeChoices = Object.entries(objects)
  .map(([value, label]) => ({ value, label }))
  .sort((one, other) => one.label.localeCompare(other.label))

const sentences: Record<string, string> = {
  'contact.exported': 'Contacts exported',
  'call.listened': 'Call listened to',
  'audit_log.exported': 'Audit log exported',
  'campaign.exported': 'Campaign exported',
  'collection.document_added': 'Document added to collection',
  'collection.document_removed': 'Document removed from collection',
  'faq.exported': 'FAQs exported',
  'erasure.created': 'Erasure requested',
  'person_export.created': 'Personal data export requested',
  'person_export.downloaded': 'Personal data downloaded',
  'session.created': 'Signed in',
  'session.ended': 'Signed out',
  'member.created': 'Member added',
  'member.deleted': 'Member removed',
}

function sentenceOf({ action, object_type, current }: types.AuditEntry): string {
  const known = sentences[action]
  if (known) return known
  if (action === 'key.updated' && current?.revoked_at) return 'API key revoked'
  if (action === 'invitation.updated' && current?.accepted_at) return 'Invitation accepted'
  return `${objects[object_type] ?? capitalized(object_type.replaceAll('_', ' '))} ${action.split('.')[1]}`
}

const by = (entry: types.AuditEntry) => <bdi>{actorOf(entry)}</bdi>

const actorOf = ({ actor_type, actor_name }: types.AuditEntry) =>
  actor_name ?? { system: 'System', key: 'A deleted API key', user: 'A former member' }[actor_type]

/** Who changed what. */
export function AuditTab() {
  if (!may(useMe(), 'audit:read'))
    return (
      <EmptyState title="Not available for your role">Owners, admins and supervisors can see the audit log.</EmptyState>
    )
  return <AuditList />
}

function AuditList() {
  const filters = useFilters(['object'])
  const { object } = filters.values
  const [opened, setOpened] = useState<string>()
  const filter = object === undefined ? {} : { action: `${object}.*` }
  const query = object === undefined ? '' : `?${new URLSearchParams(filter)}`
  const list = useCursorList(['audit-log', filter], (starting_after, signal) =>
    api.auditLog.list({ limit: 50, ...filter, ...(starting_after && { starting_after }) }, { signal }),
  )
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          Who changed what, in test and live mode. Entries cannot be changed.
        </Text>
        <Group gap="xs">
          <ApiRequest method="GET" path={`/audit-log${query}`} />
          <Button
            component="a"
            href={fileAddress(`/api/v1/audit-log/export${query}`)}
            download
            variant="default"
            leftSection={<IconDownload size={16} />}
          >
            Export as CSV
          </Button>
        </Group>
      </Group>
      <RecordList
        list={list}
        label="Entries"
        filters={filters}
        fields={[
          {
            name: 'object',
            label: 'Type',
            width: 180,
            choices: typeChoices,
          },
        ]}
        empty={{ title: 'No entries yet', text: 'Changes to settings, keys and members appear here.' }}
        expand={{
          opened,
          open: setOpened,
          label: (entry) => `Details of ${sentenceOf(entry)}`,
          body: (entry) => <Details entry={entry} />,
        }}
        columns={[
          {
            label: 'Change',
            cell: (entry) => (
              <>
                {sentenceOf(entry)}
                <Text span c="dimmed" size="sm" lineClamp={1}>
                  <bdi>{entry.object_name}</bdi>
                </Text>
              </>
            ),
          },
          {
            label: 'By',
            from: 'sm',
            cell: by,
            below: (entry) => (
              <Text inherit lineClamp={1}>
                {by(entry)}
              </Text>
            ),
          },
          { label: 'IP address', from: 'md', noWrap: true, cell: ({ ip_address }) => ip_address ?? '–' },
          { label: 'Time', noWrap: true, cell: ({ created_at }) => <Moment at={created_at} /> },
        ]}
      />
    </Stack>
  )
}

function Details({ entry }: { entry: types.AuditEntry }) {
  const { action, actor_id, object_id, previous, current, ip_address, request_id, mode } = entry
  return (
    <Stack gap="sm">
      <Facts>
        <Fact label="Action">{action}</Fact>
        {object_id && (
          <Fact label="Object ID">
            <ShownId id={object_id} />
          </Fact>
        )}
        {actor_id && (
          <Fact label="Actor ID">
            <ShownId id={actor_id} />
          </Fact>
        )}
        {ip_address && <Fact label="IP address">{ip_address}</Fact>}
        {request_id && (
          <Fact label="Request ID">
            <ShownId id={request_id} />
          </Fact>
        )}
        {mode && <Fact label="Mode">{mode}</Fact>}
      </Facts>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {previous && <JsonBody label="Before" body={previous} />}
        {current && <JsonBody label="After" body={current} />}
      </SimpleGrid>
    </Stack>
  )
}
