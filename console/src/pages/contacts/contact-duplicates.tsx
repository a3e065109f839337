import type { api as types } from '@frontdesk/sdk'
import { Anchor, Button, Card, Group, List, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { IfMay, useSession } from '../../data/session.tsx'
import { useRecord } from '../../data/use-records.ts'
import { callName } from '../../records/contacts/stages.tsx'
import { capitalized } from '../../ui/capitalized.ts'
import { showFault } from '../../ui/undo.tsx'

const reasonTexts: Record<types.ContactDuplicate['reasons'][number], string> = {
  name: 'same name',
  email: 'same email address',
  number: 'same number in another form',
  identity: 'same number or account, now or earlier',
}
const list = new Intl.ListFormat('en')

/** Contacts that are probably the same person; nothing if there are none. */
export function ContactDuplicates({ contactId, onMerge }: { contactId: string; onMerge(otherId: string): void }) {
  const { mode } = useSession()
  const queries = useQueryClient()
  const key = ['contacts', contactId, 'duplicates']
  const { data } = useRecord(key, (signal) => api.contacts.listDuplicates(contactId, { signal }))
  const dismissal = useMutation({
    mutationFn: (contact_id: string) => api.contacts.dismissDuplicate(contactId, { contact_id }),
    onSuccess: (left) => queries.setQueryData([mode, ...key], left),
    onError: (problem) => showFault(problem),
  })
  if (!data || data.duplicates.length === 0) return null
  return (
    <Card withBorder component="section" aria-label="Likely duplicates">
      <Text fw={600} size="sm" mb="xs" component="h2">
        Likely duplicates
      </Text>
      <List
        listStyleType="none"
        spacing="sm"
        size="sm"
        styles={{ itemWrapper: { width: '100%' }, itemLabel: { flex: 1 } }}
      >
        {data.duplicates.map(({ contact, reasons }) => (
          <List.Item key={contact.id}>
            <Stack gap={4}>
              <Anchor component={Link} to={`/contacts/${contact.id}`} size="sm" fw={600} truncate dir="auto">
                {callName(contact)}
              </Anchor>
              <Text size="xs" c="dimmed">
                {contact.phone_number && (
                  <>
                    <bdi>{contact.phone_number}</bdi> ·{' '}
                  </>
                )}
                {capitalized(list.format(reasons.map((reason) => reasonTexts[reason])))}
              </Text>
              <IfMay scope="contacts:write">
                <Group gap="xs">
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={`Merge ${callName(contact)} ${contact.phone_number}`}
                    onClick={() => onMerge(contact.id)}
                  >
                    Merge
                  </Button>
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    color="gray"
                    loading={dismissal.isPending && dismissal.variables === contact.id}
                    aria-label={`Not the same as ${callName(contact)} ${contact.phone_number}`}
                    onClick={() => dismissal.mutate(contact.id)}
                  >
                    Not the same
                  </Button>
                </Group>
              </IfMay>
            </Stack>
          </List.Item>
        ))}
      </List>
    </Card>
  )
}
