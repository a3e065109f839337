import type { api as types } from '@frontdesk/sdk'
import { Status } from '../../ui/status.tsx'

export function WebhookState({ webhook: { status, disabled_reason, failing_since } }: { webhook: types.Webhook }) {
  if (status === 'disabled')
    return disabled_reason === 'requested' ? (
      <Status tone="waiting">Disabled</Status>
    ) : (
      <Status tone="bad">Disabled by itself</Status>
    )
  return failing_since ? <Status tone="warning">Failing</Status> : <Status tone="good">Enabled</Status>
}

/** Why nothing is sent any more, for whoever wonders. */
export const reasonOf = {
  requested: 'Somebody disabled it. Nothing is sent until it is enabled again.',
  gone: 'Its endpoint answered 410 Gone, which means that it does not want any more. Nothing is sent until it is enabled again.',
  failing:
    'Every attempt failed for five days, so it was disabled. Repair the endpoint, enable it, and recover what was missed.',
}
