import { type Database, type TenantScope, type TenantTx, wholeOrganization } from '../../../platform/database.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/principal.ts'
import { newId } from '../../../platform/ids.ts'
import type { PhoneNumbers } from '../../../platform/phone-numbers.ts'
import { ChatError, type OutgoingMessage } from '../../../providers/chat/contract.ts'
import type { FileStore } from '../../../providers/files/contract.ts'
import type { ChatConnection, ChatConnections } from '../../channels/connections/chat-connections.ts'
import { changeContact } from '../../contacts/update-contact.ts'
import { parametersOf } from '../../templates/content/parameters.ts'
import { uploadForSending } from '../../templates/media/upload-for-sending.ts'
import type { KeptFile } from '../media/kept-file.ts'
import { insertStoredMedia } from '../media/media-queries.ts'
import { findMessages, insertOutbound } from '../messages/message-queries.ts'
import type { Message, MessageError } from '../messages/schema.ts'
import { acceptMessages } from '../receiving/accept-messages.ts'
import { useSavedReply } from '../saved-replies/write-saved-reply.ts'
import { addMessageCounts, lockContacts } from '../tickets/ticket-queries.ts'
import { upstreamFailure, withRetries } from './deliver.ts'
import { failMessages, unknownOutcome } from './fail-messages.ts'
import { fillReply } from './fill-reply.ts'
import { type FilledTemplate, fillTemplate } from './fill-template.ts'
import { planReply, type ReplyPlan } from './plan-reply.ts'
import type { Reply } from './reply.ts'

export interface Sending {
  database: Database
  chatConnections: ChatConnections
  files: FileStore
  phones: PhoneNumbers
  mediaAddress: string
}

/** Checks that a reply is still wanted right up to sending. An exception from a guard keeps it from being sent. */
export interface Guard {
  /** Called with the contact locked, in the transaction that stores the reply. */
  beforeStoring(tx: TenantTx, messageId: string): Promise<void>
  /** Called before each attempt to send. */
  beforeAttempt(): Promise<void>
}

/** Thrown by a guard when a person has taken over the conversation. */
export class NoLongerWanted extends Error {
  constructor() {
    super('a person took over')
  }
}

/**
 * Sends a reply in a ticket, by a person or an agent. The message is stored before the request to the platform, so that
 * it is known whatever happens after that, and it is never sent twice. `obtainFile` is called only once the reply may
 * be sent. The plan finds the ticket, and so checks the access of a member; what follows acts for the organization.
 */
export async function sendMessage(
  deps: Sending,
  access: TenantScope,
  ticketId: string,
  given: Reply,
  { actor, obtainFile, guard, channelId, keepsHandling = false }: Options,
): Promise<Message> {
  const scope = wholeOrganization(access)
  const sql = deps.database.forTenant(scope)
  const makePlan = async () => {
    const planned = await planReply(deps.database.forTenant(access), ticketId, given)
    return { ...planned, channelId: channelId ?? planned.channelId }
  }
  let plan = await makePlan()
  const connection = await deps.chatConnections.open(sql, plan.channelId)
  const filled = given.template && (await fillTemplate(sql, connection, plan.contactId, given.template))
  const written = actor.type === 'user' ? await fillReply(sql, plan.contactId, given) : given
  const reply = filled ? { ...written, body: filled.text } : written
  const file = await obtainFile?.()
  const id = newId()
  const store = () => storeReply(deps, scope, { id, ticketId, plan, reply, actor, file, filled, guard, keepsHandling })
  await store().catch(async (error) => {
    if (!(error instanceof AppError && error.status === 404)) throw error
    // The contact was merged meanwhile, and the ticket is another contact's now.
    const next = await makePlan()
    if (next.contactId === plan.contactId || next.channelId !== plan.channelId) throw error
    plan = next
    await store()
  })
  const chatMessageId = await sendToPlatform(deps, scope, connection, { id, plan, reply, file, filled, guard })
  if (chatMessageId !== undefined)
    await deps.database.inTenant(scope, (tx) => acceptMessages(tx, [{ id, chatMessageId }], deps))
  const [message] = await findMessages(sql, [id], deps.mediaAddress)
  // The contact was deleted in the meantime, with everything that belongs to it.
  if (!message) throw notFound('Inbox ticket')
  return message
}

interface Options {
  actor: Actor
  obtainFile?: () => Promise<KeptFile>
  guard?: Guard
  /** Instead of the channel of the conversation. */
  channelId?: string
  /** Whether the agent keeps answering after a message by a person. */
  keepsHandling?: boolean
}

interface Draft {
  id: string
  ticketId: string
  plan: ReplyPlan
  reply: Reply
  actor: Actor
  file: KeptFile | undefined
  filled: FilledTemplate | undefined
  guard: Guard | undefined
  keepsHandling: boolean
}

async function storeReply(deps: Sending, scope: TenantScope, draft: Draft): Promise<void> {
  const { id, ticketId, plan, reply, actor, file, filled, guard, keepsHandling } = draft
  const { contactId, channelId } = plan
  const { body, contextMessageId } = reply
  const type = file?.sendAs ?? 'text'
  const carried = filled?.payload ?? reply.rich ?? (file?.isSticker && { type: 'sticker' })
  const payload = carried && { payload: carried }
  const sender = actor.type === 'ai' ? 'ai' : actor.type === 'system' ? 'system' : 'person'
  await deps.database.inTenant(scope, async (tx) => {
    // A reply by a person turns the agent off for this contact. Both branches lock the contact first and fail if it is
    // gone.
    if (actor.type === 'user' && !keepsHandling)
      await changeContact(tx, contactId, { ai_handling: false }, { ...deps, actor })
    else if ((await lockContacts(tx, [contactId])).length === 0) throw notFound('Inbox ticket')
    await guard?.beforeStoring(tx, id)
    if (reply.savedReplyId !== undefined) await useSavedReply(tx, actor.id, reply.savedReplyId)
    await Promise.all([
      insertOutbound(tx, { id, ticketId, contactId, channelId, actor, type, body, contextMessageId, ...payload }),
      file && insertStoredMedia(tx, { messageId: id, file }),
      addMessageCounts(tx, [{ ticketId, channelId, messages: 1, unread: 0, at: null, from: sender }]),
    ])
  })
}

type Outgoing = Pick<Draft, 'id' | 'plan' | 'reply' | 'file' | 'filled' | 'guard'>

/**
 * Returns the platform's id of the message, or undefined if the response was lost but a status has already confirmed
 * the message.
 */
async function sendToPlatform(
  deps: Sending,
  scope: TenantScope,
  connection: ChatConnection,
  draft: Outgoing,
): Promise<string | undefined> {
  const { id, guard } = draft
  let mayBeOut = false
  try {
    const message = await outgoing(deps, scope, connection, draft)
    const accepted = await withRetries(async () => {
      await guard?.beforeAttempt()
      mayBeOut = true
      return connection.platform.send(message)
    })
    return accepted.id
  } catch (error) {
    if (await recordFailure(deps, scope, id, errorOf(error, mayBeOut))) return undefined
    throw error instanceof ChatError ? upstreamFailure(error, { message_id: id }) : error
  }
}

async function outgoing(
  deps: Sending,
  scope: TenantScope,
  connection: ChatConnection,
  { id, plan: { to }, reply, file, filled }: Outgoing,
): Promise<OutgoingMessage> {
  const { body, contextMessageId } = reply
  const envelope = { to, callbackData: id, ...(contextMessageId !== null && { replyTo: contextMessageId }) }
  if (filled) {
    const { template, variables, mediaIds, asMarketing } = filled
    const uploaded = await withRetries(() => uploadForSending(deps, scope, connection, mediaIds))
    const components = parametersOf(template, variables, uploaded)
    return { ...envelope, type: 'template', ...template, components, asMarketing }
  }
  if (reply.rich) return { ...envelope, ...reply.rich }
  if (!file) return { ...envelope, type: 'text', body }
  const { sendAs: type, mimeType, fileName, size } = file
  // Uploads can be repeated safely; each attempt reads the file from the start.
  const media = await withRetries(async () => {
    const bytes = await deps.files.read(file.key)
    return connection.platform.uploadMedia({ bytes, mimeType, fileName, size }).finally(() => bytes.destroy())
  })
  if (file.isSticker) return { ...envelope, type: 'sticker', media }
  if (type === 'audio') return { ...envelope, type, media }
  const caption = body === '' ? {} : { caption: body }
  return type === 'document'
    ? { ...envelope, type, media, fileName, ...caption }
    : { ...envelope, type, media, ...caption }
}

function errorOf(error: unknown, mayBeOut: boolean): MessageError {
  // An earlier attempt cannot have sent it: only refusals that prove this are retried.
  if (error instanceof NoLongerWanted) return { code: 'not_sent', message: 'A person took over before it was sent' }
  if (error instanceof ChatError && error.verdict !== 'unknown') return { code: error.code, message: error.message }
  return mayBeOut ? unknownOutcome : { code: 'not_sent', message: 'The file could not be uploaded to the platform' }
}

/** Returns true if the message was accepted after all: the first status can arrive before the platform's response. */
async function recordFailure(deps: Sending, scope: TenantScope, id: string, error: MessageError): Promise<boolean> {
  const failed = await deps.database.inTenant(scope, (tx) => failMessages(tx, [{ id, error }], deps))
  if (failed.length > 0) return false
  const [message] = await findMessages(deps.database.forTenant(scope), [id], deps.mediaAddress)
  return message !== undefined && message.chat_message_id !== ''
}
