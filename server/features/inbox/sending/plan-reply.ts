import type { TenantSql } from '../../../platform/database.ts'
import { conflict, found, notFound } from '../../../platform/errors.ts'
import type { Recipient } from '../../../providers/chat/contract.ts'
import type { Reply } from './reply.ts'
import { findContactOutlook, findOutlook, findReactable, type Outlook } from './reply-queries.ts'

export type { Outlook }

export interface ReplyPlan {
  contactId: string
  channelId: string
  to: Recipient
}

type Planned = Pick<Reply, 'contextMessageId' | 'template'>

/** Checks whether this reply can be sent in this ticket, and returns the channel and the recipient. */
export const planReply = async (sql: TenantSql, ticketId: string, reply: Planned): Promise<ReplyPlan> =>
  planFrom(found(await findOutlook(sql, ticketId, reply.contextMessageId), 'Inbox ticket'), reply)

/** What a reply to this contact would meet, before there is a ticket. Undefined if the contact was deleted. */
export const readOutlook = (sql: TenantSql, contactId: string): Promise<Outlook | undefined> =>
  findContactOutlook(sql, contactId)

/** The same for an outlook. */
export function planFrom(outlook: Outlook, { contextMessageId, template }: Planned): ReplyPlan {
  const { contact_id: contactId, channel_id: channelId } = outlook
  refuseBlocked(outlook)
  if (channelId === null) throw conflict('There is no channel to answer on: add one first')
  if (!template) requireOpenWindow(outlook)
  if (contextMessageId !== null && !outlook.knows_context) throw notFound('Message named by context_message_id')
  return { contactId, channelId, to: recipientOf(outlook) }
}

export async function planReaction(sql: TenantSql, ticketId: string, messageId: string) {
  const message = found(await findReactable(sql, ticketId, messageId), 'Message')
  const { channel_id: channelId, chat_message_id: chatMessageId } = message
  if (chatMessageId === '') throw conflict('The platform does not know this message, so it cannot be reacted to')
  refuseBlocked(message)
  requireOpenWindow(message)
  return { channelId, chatMessageId, to: recipientOf(message) }
}

function refuseBlocked({ is_blocked: isBlocked }: { is_blocked: boolean }): void {
  if (isBlocked) throw conflict('This contact is blocked: unblock it to send messages')
}

function requireOpenWindow({ is_open: isOpen }: { is_open: boolean }): void {
  if (!isOpen)
    throw conflict(
      'This contact has not written on this channel within the last 24 hours: outside that window the platform takes only template messages',
    )
}

interface Addressed {
  phone_number: string
  whatsapp_user_id: string | null
}

function recipientOf({ phone_number: phoneNumber, whatsapp_user_id: userId }: Addressed): Recipient {
  if (phoneNumber !== '') return { phoneNumber }
  if (userId !== null) return { userId }
  throw conflict('This contact has neither a phone number nor a chat account')
}
