import type { TenantSql } from '../../../platform/database.ts'
import { badRequest, conflict, InvalidInput, notFound } from '../../../platform/errors.ts'
import { type ChatConnection, sendsAsMarketing } from '../../channels/connections/chat-connections.ts'
import { getContact } from '../../contacts/get-contact.ts'
import { shownValues } from '../../templates/content/hide-codes.ts'
import { storedMediaIn } from '../../templates/content/parameters.ts'
import { hasOtp, type TemplateComponents } from '../../templates/content/parts.ts'
import { payloadOf, textOf } from '../../templates/content/render-message.ts'
import { fillingsOf } from '../../templates/content/slots.ts'
import { faultsIn } from '../../templates/content/structured-values.ts'
import { filledFrom } from '../../templates/content/values.ts'
import { findTemplate, whyNotSendable } from '../../templates/find-template.ts'
import { missingMedia, noSuchFile } from '../../templates/media/upload-for-sending.ts'
import type { TemplateVariables } from '../../templates/schema.ts'

export interface TemplateChoice {
  id: string
  variables: TemplateVariables | null
}

/** A template with all variables filled in. */
export interface FilledTemplate {
  /** The text as the customer reads it, with a one-time code hidden. */
  text: string
  /** Stored in the message's `payload`. */
  payload: Record<string, unknown>
  template: { name: string; language: string; components: TemplateComponents }
  variables: TemplateVariables
  asMarketing: boolean
  /** Stored files that the message sends. */
  mediaIds: string[]
}

/**
 * Fills a template for one contact by the same rules as campaigns. Throws if the template cannot be sent or a variable
 * has no value.
 */
export async function fillTemplate(
  sql: TenantSql,
  connection: ChatConnection,
  contactId: string,
  { id, variables: given }: TemplateChoice,
): Promise<FilledTemplate> {
  const [template, contact] = await Promise.all([findTemplate(sql, id), getContact(sql, contactId)])
  if (!template) throw notFound('Message template')
  const why = whyNotSendable(template, connection.businessAccountId)
  if (why) throw badRequest(why)
  if (template.category === 'MARKETING' && contact.opted_out_at !== null)
    throw conflict('This contact opted out of marketing: send a template of another category')
  if (contact.phone_number === '' && hasOtp(template.components))
    throw badRequest('WhatsApp sends one-time passwords to phone numbers only, and this contact has none')
  const { name, language, components } = template
  const variables: TemplateVariables = {}
  const missing: string[] = []
  for (const { key, pieces } of fillingsOf(components, given)) {
    const value = filledFrom(pieces, contact)
    if (value === undefined) missing.push(key)
    else variables[key] = value
  }
  const msg = 'This variable has no value: set it in template_variables'
  refuse(
    missing.map((key) => ({ key, msg })),
    'missing',
  )
  refuse(faultsIn(components, variables), 'value_error')
  const mediaIds = storedMediaIn(components, variables)
  const unknown = new Set(await missingMedia(sql, mediaIds))
  refuse(
    Object.entries(variables).flatMap(([key, value]) => (unknown.has(value) ? [{ key, msg: noSuchFile }] : [])),
    'value_error',
  )
  const shown = shownValues(template.category, variables)
  return {
    text: textOf({ components }, shown),
    payload: payloadOf(template, shown),
    template: { name, language, components },
    variables,
    asMarketing: sendsAsMarketing(connection, template.category),
    mediaIds,
  }
}

function refuse(faults: { key: string; msg: string }[], type: string): void {
  if (faults.length > 0)
    throw new InvalidInput(faults.map(({ key, msg }) => ({ loc: ['body', 'template_variables', key], msg, type })))
}
