import type { TenantScope, TenantSql } from '../../../platform/database.ts'
import { AppError, conflict, InvalidInput } from '../../../platform/errors.ts'
import type { OpenAgent } from '../../agents/answering/turn.ts'
import type { MessageTemplate } from '../../agents/config/on-call-settings.ts'
import { failed, type RunnableTool, type ToolOutcome } from '../../agents/tools/contract.ts'
import { fillTemplate } from '../../inbox/sending/fill-template.ts'
import { type Outlook, planFrom, readOutlook } from '../../inbox/sending/plan-reply.ts'
import type { Reply } from '../../inbox/sending/reply.ts'
import { type Sending, sendMessage } from '../../inbox/sending/send-message.ts'
import { createTicket } from '../../inbox/tickets/create-ticket.ts'
import { findNamedTemplate, findReach, recordMessage } from './queries.ts'

const mostMessages = 5
const longestText = 4096

interface MessagingCall {
  scope: TenantScope
  callId: string
  contactId: string
  agent: OpenAgent
  /** How often the caller had spoken before. A repeated turn has the same number. */
  turn: number
}

/** Thrown when another run of the same turn has stored its message first. */
class AlreadySent extends Error {}

/** Lets the model send the contact a chat message or a template during the call. */
export function sendMessageTool(deps: Sending, call: MessagingCall): RunnableTool {
  const templates = call.agent.config.call_settings.message_templates
  const text = { type: 'string', description: 'The message as it is sent, such as a link or an address' }
  const template = {
    type: 'string',
    enum: templates.map(({ name }) => name),
    description: `A template instead of a text. ${templates.map(withMeaning).join('. ')}`,
  }
  const variables = {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Values of the template’s variables by name, if it has some',
  }
  return {
    name: 'send_message',
    description:
      'Send the caller a chat message (WhatsApp) right now, while you talk: when they ask for something in writing, or agree to get it. One in a turn.',
    parameters:
      templates.length === 0
        ? { type: 'object', properties: { text }, required: ['text'] }
        : { type: 'object', properties: { text, template, variables } },
    sayWhileRunning: null,
    run: (given) => send(deps, call, given as Given),
  }
}

const withMeaning = ({ name, description }: MessageTemplate) => (description ? `${name}: ${description}` : name)

interface Given {
  text?: string
  template?: string
  variables?: Record<string, string>
}

async function send(deps: Sending, call: MessagingCall, given: Given): Promise<ToolOutcome> {
  const { scope, callId, contactId, agent, turn } = call
  const templates = agent.config.call_settings.message_templates
  const sql = deps.database.forTenant(scope)
  const chosen = templates.find(({ name }) => name === given.template)
  const text = given.text?.trim() ?? ''
  if (Boolean(chosen) === (text !== '')) return failed('Give either a text or a template')
  if (text.length > longestText) return failed(`A message has at most ${longestText} characters`)
  const reach = await findReach(sql, { contactId, callId, turn })
  if (!reach) return failed('The contact was deleted')
  if (reach.status !== null) return sentBefore(reach.status)
  if (reach.has_opted_out) return failed('The contact opted out of messages. Do not send one; offer another way.')
  if (reach.sent >= mostMessages) return failed(`${mostMessages} messages were sent in this call. Send no more.`)
  const outlook = await readOutlook(sql, contactId)
  if (!outlook) return failed('The contact was deleted')
  if (!chosen && !outlook.is_open) return failed(outsideWindow(templates))
  try {
    const reply = chosen
      ? await templateReply(deps, sql, outlook, { chosen, variables: given.variables ?? null })
      : { body: text, contextMessageId: null }
    if (!reply) return failed('This template does not exist any more')
    // Before there is a ticket: a refusal must not leave an empty one.
    await deps.chatConnections.open(sql, planFrom(outlook, reply).channelId)
    const { ticket } = await deps.database.inTenant(scope, (tx) => createTicket(tx, contactId))
    const message = await sendMessage(deps, scope, ticket.id, reply, {
      actor: { type: 'ai', id: agent.id },
      guard: {
        async beforeStoring(tx, messageId) {
          if (!(await recordMessage(tx, { callId, turn, messageId }))) throw new AlreadySent()
        },
        async beforeAttempt() {},
      },
    })
    return { result: `Sent: ${message.body}`, isError: false }
  } catch (error) {
    if (error instanceof AlreadySent) return sentBefore('sent')
    if (error instanceof InvalidInput)
      return failed(error.faults.map(({ loc, msg }) => `${loc.at(-1)}: ${msg}`).join('; '))
    if (error instanceof AppError) return failed(error.message)
    throw error
  }
}

const sentBefore = (status: string): ToolOutcome =>
  status === 'failed'
    ? failed('The message of this turn could not be delivered. Offer another way.')
    : { result: 'It was sent already. Do not send it again.', isError: false }

const outsideWindow = (templates: MessageTemplate[]): string =>
  `The contact has not written within the last 24 hours, so WhatsApp takes only templates. ${
    templates.length > 0
      ? `Send one of these instead: ${templates.map(({ name }) => name).join(', ')}.`
      : 'There is none to send: ask the caller to write first, or offer another way.'
  }`

/** Undefined if the business account of the channel has no such template. Throws if it cannot be sent. */
async function templateReply(
  { chatConnections }: Sending,
  sql: TenantSql,
  { contact_id: contactId, channel_id: channelId }: Outlook,
  { chosen, variables }: { chosen: MessageTemplate; variables: Record<string, string> | null },
): Promise<Reply | undefined> {
  if (channelId === null) throw conflict('There is no channel to send the template on')
  const connection = await chatConnections.open(sql, channelId)
  const template = await findNamedTemplate(sql, chosen, connection.businessAccountId)
  if (!template) return undefined
  await fillTemplate(sql, connection, contactId, { id: template.id, variables })
  return { body: '', contextMessageId: null, template: { id: template.id, variables } }
}
