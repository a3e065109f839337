import type { api as types } from '@frontdesk/sdk'
import { Anchor, Group, Loader, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, fileAddress } from '../../data/api.ts'
import { useSession } from '../../data/session.tsx'
import { callName } from '../../records/contacts/stages.tsx'
import { errorText } from '../../ui/error-text.ts'
import { sizeOf } from '../../ui/size.ts'

/** Requests an export when it opens, and offers the download when it is complete. */
export function ExportContact({ contact, onClose }: { contact: types.Contact; onClose(): void }) {
  const { mode } = useSession()
  const request = useQuery({
    queryKey: [mode, 'new-export', contact.id],
    queryFn: () => api.privacy.exportContact(contact.id),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const id = request.data?.id
  const { data, error } = useQuery({
    queryKey: [mode, 'exports', id],
    queryFn: ({ signal }) => api.privacy.getExport(id as string, { signal }),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data?.state === 'completed' ? false : 1000),
  })
  const problem = request.error ?? error
  return (
    <Modal opened onClose={onClose} title={`Export everything about ${callName(contact)}`}>
      <Stack gap="sm">
        <Text size="sm">
          A ZIP with the contact, its timeline, tasks, messages, calls, files and recordings. It can be downloaded for a
          week.
        </Text>
        {problem ? (
          <Text size="sm" c="red" role="alert">
            {errorText(problem)}
          </Text>
        ) : data?.download_url ? (
          <Anchor href={fileAddress(data.download_url)} download>
            Download ZIP ({sizeOf(data.size_bytes ?? 0)})
          </Anchor>
        ) : (
          <Group gap="xs" role="status">
            <Loader size="xs" />
            <Text size="sm">{data?.error ?? 'Preparing the export…'}</Text>
          </Group>
        )}
      </Stack>
    </Modal>
  )
}
