import { createHash } from 'node:crypto'
import type { TenantScope } from '../../../platform/database.ts'
import { InvalidInput, invalid } from '../../../platform/errors.ts'
import { refuseUnstorable } from '../../../platform/http/json-body.ts'
import type { ReceivedFile } from '../../../platform/http/upload.ts'
import { isUuid } from '../../../platform/ids.ts'
import type { OutboundHttp } from '../../../platform/outbound-fetch.ts'
import { type FreshFile, type Keeping, keepFile } from '../../files/keep-file.ts'
import { checkMediaUrl, fetchMediaUrl } from '../media/fetch-media-url.ts'
import type { KeptFile } from '../media/kept-file.ts'
import { checkInteractive } from '../rich/check-interactive.ts'
import type { RichContent } from '../rich/schema.ts'
import { type MessageType, messageTypes } from '../schema.ts'
import { type Reply, richReply } from './reply.ts'
import { fileToSend, textWithFile } from './reply-file.ts'
import type { NewMessage } from './schema.ts'

/**
 * A reply as the caller submitted it: JSON with an optional file URL to download, or a multipart form with the file.
 */
interface IncomingReply {
  reply: Reply
  obtainFile?: () => Promise<KeptFile>
  /** Lets an idempotency key distinguish one form from another. */
  bodyHash?: Buffer
  /** Called when the request is done. Removes the file at once if no message uses it. */
  settle(): Promise<void>
}

/** What a reply is checked with, and its file fetched. */
export type Checking = Keeping & { outbound: OutboundHttp }

export function replyFromJson(deps: Checking, scope: TenantScope, input: NewMessage | undefined): IncomingReply {
  if (!input) throw invalid(['body'], 'A JSON body is required', 'missing')
  const { message_type: wanted, body, media_url: url, context_message_id: contextMessageId = null } = input
  const settle = async () => {}
  const template = templateIn(input)
  if (template) return { reply: { body, contextMessageId, template }, settle }
  const rich = richIn(input)
  if (rich) return { reply: richReply(rich, contextMessageId), settle }
  const reply = { body, contextMessageId, savedReplyId: input.saved_reply_id }
  const isSticker = input.sticker === true
  if (url === undefined) {
    if (isSticker || (wanted !== undefined && wanted !== 'text'))
      throw invalid(
        ['body', 'media_url'],
        `A ${isSticker ? 'sticker' : `message of type ${wanted}`} needs media_url, or a form with a file`,
        'missing',
      )
    if (body.trim() === '') throw invalid(['body', 'body'], 'body must not be empty', 'string_too_short')
    return { reply, settle }
  }
  if (wanted === 'text') throw textWithFile(['body', 'media_url'])
  checkMediaUrl(deps.outbound, url)
  return { reply, settle, obtainFile: () => fetchMediaUrl(deps, scope, { url, wanted, isSticker, caption: body }) }
}

/** Members that each make the whole message. */
const contents = ['template_id', 'media_url', 'interactive', 'location', 'contacts'] as const

/** A message has one content, and only a file has a type other than text. */
function refuseOthers(input: NewMessage, own: (typeof contents)[number]): void {
  for (const other of contents)
    if (other !== own && input[other] !== undefined)
      throw invalid(['body', other], `${other} cannot be used together with ${own}`)
  if (input.sticker) throw invalid(['body', 'sticker'], `sticker cannot be used together with ${own}`)
  if (input.message_type !== undefined && input.message_type !== 'text')
    throw invalid(
      ['body', 'message_type'],
      `message_type must be text or omitted with ${own === 'template_id' ? 'a template_id' : own}`,
    )
}

function templateIn(input: NewMessage) {
  const { template_id: id, template_variables: variables } = input
  if (id === undefined) {
    if (variables !== undefined)
      throw invalid(['body', 'template_id'], 'template_variables needs a template_id', 'missing')
    return undefined
  }
  if (input.body !== '')
    throw invalid(['body', 'body'], 'body must be empty with a template_id: the template has its own text')
  if (input.media_url !== undefined)
    throw invalid(
      ['body', 'media_url'],
      'media_url cannot be used with a template_id: set the file in template_variables',
    )
  refuseOthers(input, 'template_id')
  return { id, variables: variables ?? null }
}

function richIn(input: NewMessage): RichContent | undefined {
  const { body, interactive, location, contacts } = input
  if (interactive) {
    refuseOthers(input, 'interactive')
    checkInteractive(interactive, body)
    return { type: 'interactive', interactive: { ...interactive, body } }
  }
  const own = location ? 'location' : contacts ? 'contacts' : undefined
  if (own === undefined) return undefined
  refuseOthers(input, own)
  if (body !== '') throw invalid(['body', 'body'], `body must be empty with ${own}: send the text as another message`)
  return location ? { type: 'location', location } : { type: 'contacts', contacts: contacts ?? [] }
}

export async function replyFromForm(
  deps: Keeping,
  scope: TenantScope,
  receive: (store: (bytes: AsyncIterable<Buffer>) => Promise<void>) => Promise<ReceivedFile>,
): Promise<IncomingReply> {
  let fresh: FreshFile | undefined
  try {
    const form = await receive(async (bytes) => {
      fresh = await keepFile(deps, scope, bytes)
    })
    if (!fresh) throw invalid(['body', 'file'], 'A file is required', 'missing')
    return settleForm(fresh, form)
  } catch (error) {
    await fresh?.discard()
    throw error
  }
}

function settleForm(fresh: FreshFile, { fileName, mimeType, fields }: ReceivedFile): IncomingReply {
  const { body, contextMessageId, savedReplyId, ...as } = readFields(fields)
  const file = fileToSend(fresh, { fileName, declaredType: mimeType }, { ...as, caption: body, loc: ['body', 'file'] })
  const parts = JSON.stringify([fileName, mimeType, [...fields].sort()])
  let isTaken = false
  return {
    reply: { body, contextMessageId, savedReplyId },
    bodyHash: createHash('sha256').update(fresh.sha256).update(parts).digest(),
    obtainFile: async () => {
      isTaken = true
      return file
    },
    settle: async () => {
      if (!isTaken) await fresh.discard()
    },
  }
}

/** Form fields are plain text that no schema has validated. */
function readFields(fields: Map<string, string>) {
  refuseUnstorable(Object.fromEntries(fields), 'body')
  const type = fields.get('message_type') || undefined
  const contextMessageId = fields.get('context_message_id') || null
  if (type !== undefined && !(messageTypes as readonly string[]).includes(type))
    throw new InvalidInput([
      { loc: ['body', 'message_type'], msg: `message_type must be ${messageTypes.join(', ')}`, type: 'enum' },
    ])
  if (contextMessageId !== null && contextMessageId.length > 512)
    throw invalid(['body', 'context_message_id'], 'context_message_id is too long', 'string_too_long')
  const savedReplyId = fields.get('saved_reply_id') || undefined
  if (savedReplyId !== undefined && !isUuid(savedReplyId))
    throw invalid(['body', 'saved_reply_id'], 'saved_reply_id must be the id of a saved reply', 'uuid_parsing')
  const isSticker = fields.get('sticker') === 'true'
  const wanted = type as MessageType | undefined
  return { wanted, isSticker, body: fields.get('body') ?? '', contextMessageId, savedReplyId }
}
