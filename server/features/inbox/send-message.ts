import type { Database, TenantScope, TenantTx } from '../../platform/database.ts'
import { notFound } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http/principal.ts'
import { newId } from '../../platform/ids.ts'
import type { PhoneNumbers } from '../../platform/phone-numbers.ts'
import { ChatError, type OutgoingMessage } from '../../providers/chat/contract.ts'
import type { FileStore } from '../../providers/files/contract.ts'
import type { ChatConnection, ChatConnections } from '../channels/chat-connections.ts'
import { changeContact } from '../contacts/update-contact.ts'
import { acceptMessages } from './accept-messages.ts'
import { upstreamFailure, withRetries } from './deliver.ts'
import { failMessages, unknownOutcome } from './fail-messages.ts'
import { type FilledTemplate, fillTemplate } from './fill-template.ts'
import type { KeptFile } from './kept-file.ts'
import { insertStoredMedia } from './media-queries.ts'
import { findMessages, insertOutbound } from './message-queries.ts'
import { planReply, type ReplyPlan } from './plan-reply.ts'
import type { Reply } from './reply.ts'
import type { Message, MessageError } from './schema.ts'
import { lockContacts, noteMessages } from './ticket-queries.ts'

export interface Sending {
  database: Database
  chatConnections: ChatConnections
  files: FileStore
  phones: PhoneNumbers
  mediaAddress: string
}

/** For replies that have to be wanted until the last moment. What it throws keeps them from going out. */
export interface Guard {
  /** With the contact locked, in the transaction that writes the reply down. */
  beforeWritingDown(tx: TenantTx, messageId: string): Promise<void>
  /** Before the platform is asked, each time. */
  beforeAttempt(): Promise<void>
}

/** Thrown by a guard: somebody else has taken over. */
export class NoLongerWanted extends Error {
  constructor() {
    super('a person took over')
  }
}

/**
 * A reply in a ticket, by a person or an agent. It is written down before the platform hears of it, so that whatever
 * happens in between it is known; and it is never sent a second time. `obtainFile` is asked for the file once it is
 * clear that the reply may be sent.
 */
export async function sendMessage(
  deps: Sending,
  scope: TenantScope,
  ticketId: string,
  given: Reply,
  { actor, obtainFile, guard }: { actor: Actor; obtainFile?: () => Promise<KeptFile>; guard?: Guard },
): Promise<Message> {
  const sql = deps.database.forTenant(scope)
  const plan = await planReply(sql, ticketId, given)
  const connection = await deps.chatConnections.open(sql, plan.channelId)
  const filled = given.template && (await fillTemplate(sql, connection, plan.contactId, given.template))
  const reply = { ...given, body: filled?.text ?? given.body }
  const file = await obtainFile?.()
  const id = newId()
  await writeDown(deps, scope, { id, ticketId, plan, reply, actor, file, filled, guard })
  const chatMessageId = await handOver(deps, scope, connection, { id, plan, reply, file, filled, guard })
  if (chatMessageId !== undefined)
    await deps.database.inTenant(scope, (tx) => acceptMessages(tx, [{ id, chatMessageId }], deps))
  const [message] = await findMessages(sql, [id], deps.mediaAddress)
  // The contact was deleted meanwhile, and everything of it.
  if (!message) throw notFound('Inbox ticket')
  return message
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
}

async function writeDown(deps: Sending, scope: TenantScope, draft: Draft): Promise<void> {
  const { id, ticketId, plan, reply, actor, file, filled, guard } = draft
  const { contactId, channelId } = plan
  const { body, contextMessageId } = reply
  const type = file?.sendAs ?? 'text'
  const payload = filled && { payload: filled.payload }
  await deps.database.inTenant(scope, async (tx) => {
    // Where a person answers, the agent keeps quiet from now on. Either way the contact is there, and locked first.
    if (actor.type === 'user') await changeContact(tx, contactId, { ai_handling: false }, { ...deps, actor })
    else if ((await lockContacts(tx, [contactId])).length === 0) throw notFound('Inbox ticket')
    await guard?.beforeWritingDown(tx, id)
    await Promise.all([
      insertOutbound(tx, { id, ticketId, contactId, channelId, actor, type, body, contextMessageId, ...payload }),
      file && insertStoredMedia(tx, { messageId: id, file }),
      noteMessages(tx, [{ ticketId, channelId, messages: 1, unread: 0, at: null }]),
    ])
  })
}

type Outgoing = Pick<Draft, 'id' | 'plan' | 'reply' | 'file' | 'filled' | 'guard'>

/** The platform's id of the message; nothing where its first status was faster than its answer, which never came. */
async function handOver(
  deps: Sending,
  scope: TenantScope,
  connection: ChatConnection,
  draft: Outgoing,
): Promise<string | undefined> {
  const { id, guard } = draft
  let mayBeOut = false
  try {
    const message = await outgoing(deps, connection, draft)
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
  { files }: Sending,
  { platform }: ChatConnection,
  { id, plan: { to }, reply, file, filled }: Outgoing,
): Promise<OutgoingMessage> {
  const { body, contextMessageId } = reply
  const envelope = { to, callbackData: id, ...(contextMessageId !== null && { replyTo: contextMessageId }) }
  if (filled) return { ...envelope, type: 'template', ...filled.template }
  if (!file) return { ...envelope, type: 'text', body }
  const { sendAs: type, mimeType, fileName, size } = file
  // Uploading twice does no harm, so each attempt reads the file anew.
  const media = await withRetries(async () => {
    const bytes = await files.read(file.key)
    return platform.uploadMedia({ bytes, mimeType, fileName, size }).finally(() => bytes.destroy())
  })
  if (type === 'audio') return { ...envelope, type, media }
  const caption = body === '' ? {} : { caption: body }
  return type === 'document'
    ? { ...envelope, type, media, fileName, ...caption }
    : { ...envelope, type, media, ...caption }
}

function errorOf(error: unknown, mayBeOut: boolean): MessageError {
  // Earlier attempts surely did not send it, or there would not have been another.
  if (error instanceof NoLongerWanted) return { code: 'not_sent', message: 'A person took over before it was sent' }
  if (error instanceof ChatError && error.verdict !== 'unknown') return { code: error.code, message: error.message }
  return mayBeOut ? unknownOutcome : { code: 'not_sent', message: 'The file could not be handed to the platform' }
}

/** Whether it turned out to be accepted after all: the platform's first status can be faster than its answer. */
async function recordFailure(deps: Sending, scope: TenantScope, id: string, error: MessageError): Promise<boolean> {
  const failed = await deps.database.inTenant(scope, (tx) => failMessages(tx, [{ id, error }], deps))
  if (failed.length > 0) return false
  const [message] = await findMessages(deps.database.forTenant(scope), [id], deps.mediaAddress)
  return message !== undefined && message.chat_message_id !== ''
}
