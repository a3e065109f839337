import type { Mail } from '../../platform/mail.ts'
import type { Notification, NotificationKind } from './schema.ts'

const titles: Record<NotificationKind, (name: string) => string> = {
  assigned: (name) => `Assigned to you: ${name}`,
  message: (name) => `Message from ${name}`,
  unassigned: (name) => `${name} is waiting`,
  mention: (name) => `You were mentioned: ${name}`,
  handoff: (name) => `The AI handed off ${name}`,
}

export const notificationTitle = ({
  kind,
  contact_name,
  count,
}: Pick<Notification, 'kind' | 'contact_name' | 'count'>) =>
  titles[kind](contact_name) + (count > 1 ? ` (${count})` : '')

/** Of the unread ones, this many are listed. */
export const listedInDigest = 20

interface Digest {
  to: string
  organization: string
  unread: number
  notifications: Notification[]
  publicUrl: string
}

export function digestMail({ to, organization, unread, notifications, publicUrl }: Digest): Mail {
  const lines = notifications.map(
    (each) =>
      `- ${notificationTitle(each)}\n  ${each.preview.replaceAll(/\s+/g, ' ')}\n  ${publicUrl}/inbox/${each.ticket_id}`,
  )
  const rest = unread - notifications.length
  return {
    to,
    subject: `${unread} unread ${unread === 1 ? 'notification' : 'notifications'} in ${organization}`,
    text: `Unread in ${organization} on Frontdesk:

${lines.join('\n\n')}
${rest > 0 ? `\nAnd ${rest} more: ${publicUrl}/inbox\n` : ''}
Change how often you get this email: ${publicUrl}/settings/notifications
`,
  }
}
