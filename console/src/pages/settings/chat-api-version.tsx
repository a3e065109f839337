import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'

/** Which version of WhatsApp's API serves live channels, and when it ends. */
export function ChatApiVersion() {
  const { data } = useRecord(['organization'], (signal) => api.organization.get({ signal }))
  if (!data) return null
  const { asked, served, ends_on, warning } = data.chat_api
  const said = `API version: ${asked} requested, ${served ?? 'none served yet'}${served ? ' served' : ''}, ${ends_on ? `ends on ${ends_on}` : 'no end date announced'}.`
  if (!warning)
    return (
      <Text size="xs" c="dimmed">
        {said}
      </Text>
    )
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} />} title="Update the WhatsApp API version">
      <Text size="sm">
        {said} {warning} Your administrator changes it on the server.
      </Text>
    </Alert>
  )
}
