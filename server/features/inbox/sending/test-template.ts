import type { TenantScope } from '../../../platform/database.ts'
import { AppError, found } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/principal.ts'
import { findContactByNumber } from '../../contacts/get-contact.ts'
import { findTemplate } from '../../templates/find-template.ts'
import type { Message } from '../messages/schema.ts'
import { createTicket } from '../tickets/create-ticket.ts'
import type { TestSend } from './schema.ts'
import { type Sending, sendMessage } from './send-message.ts'

/**
 * Sends a template to one number, to see it on a phone. Only contacts can be reached this way: a mistyped number
 * gets nothing. The AI stays in charge of the contact.
 */
export async function testTemplate(
  deps: Sending,
  scope: TenantScope,
  templateId: string,
  { phone_number, channel_id, template_variables: variables }: TestSend,
  actor: Actor,
): Promise<Message> {
  const sql = deps.database.forTenant(scope)
  const number = await deps.phones.require(sql, phone_number, ['body', 'phone_number'])
  const template = found(await findTemplate(sql, templateId), 'Template')
  const contact = await findContactByNumber(sql, number)
  if (!contact)
    throw new AppError(400, `No contact has the number ${number}: create one to send tests to it`, {
      code: 'no_contact',
    })
  const { ticket } = await deps.database.inTenant(scope, (tx) => createTicket(tx, contact.id, actor.id))
  const reply = { body: '', contextMessageId: null, template: { id: templateId, variables: variables ?? null } }
  return sendMessage(deps, scope, ticket.id, reply, {
    actor,
    channelId: channel_id ?? template.channel_id,
    keepsHandling: true,
  })
}
