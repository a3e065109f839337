import type { TenantSql } from '../../platform/database.ts'
import { badRequest, conflict, InvalidInput, notFound } from '../../platform/errors.ts'
import type { ChatConnection } from '../channels/chat-connections.ts'
import { getContact } from '../contacts/get-contact.ts'
import type { Contact } from '../contacts/schema.ts'
import { findTemplate, whyNotSendable } from '../templates/find-template.ts'
import { parametersOf, textOf } from '../templates/render-message.ts'
import type { TemplateVariables } from '../templates/schema.ts'
import { type ContactPiece, fillingsOf, type Piece } from '../templates/slots.ts'

export interface TemplateChoice {
  id: string
  variables: TemplateVariables | null
}

/** A template with everything in its place. */
export interface FilledTemplate {
  /** As the customer reads it. */
  text: string
  /** What the message keeps of it. */
  payload: Record<string, unknown>
  /** As the platform wants it. */
  template: { name: string; language: string; components: Record<string, unknown>[] }
}

/** Fills a template for one contact by the rules of campaigns; throws when it may not be sent, or something is missing. */
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
    throw conflict('This contact wants no marketing: send a template of another category')
  const { name, language, components } = template
  const variables: TemplateVariables = {}
  const missing: string[] = []
  for (const { key, pieces } of fillingsOf(components, given)) {
    const value = filledFrom(pieces, contact)
    if (value === undefined) missing.push(key)
    else variables[key] = value
  }
  if (missing.length > 0)
    throw new InvalidInput(
      missing.map((key) => ({
        loc: ['body', 'template_variables', key],
        msg: 'Nothing stands in for this variable, and nothing blank is ever sent',
        type: 'missing',
      })),
    )
  return {
    text: textOf({ components }, variables),
    payload: { template: { name, language }, variables },
    template: { name, language, components: parametersOf({ components }, variables) },
  }
}

/** Whole or not there: whatever it is joined with, nothing makes nothing. */
function filledFrom(pieces: Piece[], contact: Contact): string | undefined {
  const parts = pieces.map((piece) =>
    'text' in piece ? piece.text : (fillable(memberOf(piece, contact)) ?? piece.otherwise),
  )
  return parts.includes(undefined) ? undefined : fillable(parts.join(''))
}

const memberOf = (piece: ContactPiece, contact: Contact): unknown =>
  'customField' in piece ? contact.custom_fields[piece.customField] : contact[piece.field]

/** Lists and maps cannot stand in a message, nor can blanks. */
const fillable = (value: unknown): string | undefined =>
  ['string', 'number', 'boolean'].includes(typeof value)
    ? String(value).replace(/\s+/g, ' ').trim() || undefined
    : undefined
