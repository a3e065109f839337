import { IconAlertCircle, IconCheck, IconChecks, IconClock } from '@tabler/icons-react'
import classes from './inbox.module.css'

const kinds = {
  pending: { label: 'Sending', icon: IconClock },
  sent: { label: 'Sent', icon: IconCheck },
  delivered: { label: 'Delivered', icon: IconChecks },
  read: { label: 'Read', icon: IconChecks },
  failed: { label: 'Not sent', icon: IconAlertCircle },
} as const
type TickKind = keyof typeof kinds

/** The delivery status, as shape, colour and text. */
export function DeliveryTicks({ kind }: { kind: TickKind }) {
  const { label, icon: Icon } = kinds[kind]
  return (
    <span className={classes.ticks} data-kind={kind} role="img" aria-label={label} title={label}>
      <Icon size={14} stroke={2} />
    </span>
  )
}
