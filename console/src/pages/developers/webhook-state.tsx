import type { api as types } from '@frontdesk/sdk'
import { Status } from '../../ui/status.tsx'

export function WebhookState({ webhook: { status, disabled_reason, failing_since } }: { webhook: types.Webhook }) {
  if (status === 'disabled')
    return disabled_reason === 'requested' ? (
      <Status tone="waiting">Disabled</Status>
    ) : (
      <Status tone="bad">Disabled automatically</Status>
    )
  return failing_since ? <Status tone="warning">Failing</Status> : <Status tone="good">Enabled</Status>
}

/** Why a webhook is disabled. */
export const reasonOf = {
  requested: 'Disabled by a member. Enable it to send events again.',
  gone: 'The endpoint responded with 410 Gone. Enable the webhook to send events again.',
  failing: 'Every attempt failed for five days. Fix the endpoint, enable the webhook, then recover missed events.',
}
