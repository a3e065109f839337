import type { api as types } from '@frontdesk/sdk'
import { Tooltip } from '@mantine/core'
import { IconBrowser, IconPhoneIncoming, IconPhoneOutgoing } from '@tabler/icons-react'

/** Says at a glance whether a call was made, received or held in a browser. */
export function CallIcon({ call: { medium, direction } }: { call: Pick<types.Call, 'medium' | 'direction'> }) {
  const [Icon, label] =
    medium === 'web'
      ? ([IconBrowser, 'Browser call'] as const)
      : direction === 'outbound'
        ? ([IconPhoneOutgoing, 'Outbound'] as const)
        : ([IconPhoneIncoming, 'Inbound'] as const)
  return (
    <Tooltip label={label}>
      <Icon size={18} stroke={1.6} role="img" aria-label={label} style={{ flex: 'none' }} />
    </Tooltip>
  )
}
