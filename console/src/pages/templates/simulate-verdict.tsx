import type { api as types } from '@frontdesk/sdk'
import { Alert, Button, Group, Select, Text } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { isSendable } from '../../records/templates/template-status.ts'
import { wordOf } from '../../ui/capitalized.ts'
import { errorText } from '../../ui/error-text.ts'

const reasons = ['INVALID_FORMAT', 'PROMOTIONAL', 'INCORRECT_CATEGORY', 'ABUSIVE_CONTENT', 'SCAM']

/** In test mode the member can decide the review. */
export function SimulateVerdict({ template }: { template: types.Template }) {
  const [reason, setReason] = useState('PROMOTIONAL')
  const { mutate, isPending, error, variables } = useMutation({
    mutationFn: (event: types.SimulatedTemplateEvent) => api.simulator.simulateTemplateEvent(template.id, event),
  })
  const act = (event: types.SimulatedTemplateEvent['event'], label: string, members: object = {}) => (
    <Button
      key={event}
      size="xs"
      variant="default"
      loading={isPending && variables?.event === event}
      disabled={template.registration !== 'registered'}
      onClick={() => mutate({ event, ...members })}
    >
      {label}
    </Button>
  )
  const isPaused = template.platform_status === 'PAUSED'
  return (
    <Alert
      variant="light"
      color="gray"
      icon={<IconFlask size={18} />}
      title="Test mode: simulate WhatsApp’s review"
      styles={{ message: { color: 'var(--mantine-color-text)' } }}
    >
      <Text size="sm" mb="xs">
        {template.registration === 'registered'
          ? 'The simulator reviews templates within seconds. Choose another result here.'
          : 'Available once simulated WhatsApp has received the template.'}
      </Text>
      <Group gap="xs">
        {!isSendable(template) && !isPaused && act('approve', 'Approve')}
        {template.status === 'APPROVED' && (isPaused ? act('unpause', 'Unpause') : act('pause', 'Pause'))}
        {template.status !== 'REJECTED' && (
          <Group gap={4} wrap="nowrap">
            {act('reject', 'Reject as', { reason })}
            <Select
              size="xs"
              w={160}
              aria-label="Rejection reason"
              allowDeselect={false}
              data={reasons.map((value) => ({ value, label: wordOf(value) }))}
              value={reason}
              onChange={(value) => value && setReason(value)}
            />
          </Group>
        )}
        {template.status === 'APPROVED' && act('quality', 'Rate as low quality', { score: 'RED' })}
      </Group>
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" mt="xs" role="alert">
          {errorText(error)}
        </Text>
      )}
    </Alert>
  )
}
