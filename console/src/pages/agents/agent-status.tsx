import type { api as types } from '@frontdesk/sdk'
import { Status } from '../../ui/status.tsx'

export function AgentStatus({ agent: { is_active } }: { agent: types.Agent }) {
  return is_active === 'active' ? <Status tone="good">Active</Status> : <Status tone="waiting">Inactive</Status>
}
