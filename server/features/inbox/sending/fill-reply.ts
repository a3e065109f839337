import type { TenantSql } from '../../../platform/database.ts'
import { invalid } from '../../../platform/errors.ts'
import { getContact } from '../../contacts/get-contact.ts'
import type { Contact } from '../../contacts/schema.ts'
import { filledFrom, readValue } from '../../templates/content/values.ts'
import { type Reply, richReply } from './reply.ts'

const field = /\{\{\s*contact\.[^{}]*\}\}/g

/** Fills fields of the contact into the texts of a reply, by the same rules as the variables of templates. */
export async function fillReply(sql: TenantSql, contactId: string, reply: Reply): Promise<Reply> {
  const { rich } = reply
  if (rich && rich.type !== 'interactive') return reply
  const texts = rich
    ? JSON.stringify([rich.interactive.header, rich.interactive.body, rich.interactive.footer])
    : reply.body
  if (!texts.includes('{{')) return reply
  const contact = await getContact(sql, contactId)
  if (!rich) return { ...reply, body: fill(reply.body, contact) }
  const { header, body, footer, ...others } = rich.interactive
  const interactive = {
    ...others,
    body: fill(body, contact),
    ...(header && { header: header.text === undefined ? header : { ...header, text: fill(header.text, contact) } }),
    ...(footer !== undefined && { footer: fill(footer, contact) }),
  }
  return richReply({ type: 'interactive', interactive }, reply.contextMessageId)
}

function fill(text: string, contact: Contact): string {
  return text.replace(field, (written) => {
    const pieces = readValue(written)
    if (!pieces) return written
    const value = filledFrom(pieces, contact)
    if (value === undefined)
      throw refused(`${written} has no value for this contact: add one, as in ${written.replace('}}', '|there}}')}`)
    return value
  })
}

/** Something in the text that looks like a field of the contact and is none. */
export const unknownFieldIn = (text: string): string | undefined =>
  text.match(/\{\{[^{}]*\}\}/g)?.find((written) => !readValue(written))

const refused = (msg: string) => invalid(['body', 'body'], msg)
