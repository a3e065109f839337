import type { TenantSql } from '../../../platform/database.ts'
import { invalid } from '../../../platform/errors.ts'
import { getContact } from '../../contacts/get-contact.ts'
import { contactSyntax, filledFrom, readValue } from '../../templates/content/values.ts'

const field = /\{\{\s*contact\.[^{}]*\}\}/g

/** Fills fields of the contact into the text of a reply, by the same rules as the variables of templates. */
export async function fillReply(sql: TenantSql, contactId: string, body: string): Promise<string> {
  if (!body.includes('{{')) return body
  const contact = await getContact(sql, contactId)
  return body.replace(field, (written) => {
    const pieces = readValue(written)
    if (!pieces) throw refused(`${written} is not known: use ${contactSyntax}`)
    const value = filledFrom(pieces, contact)
    if (value === undefined)
      throw refused(`${written} has no value for this contact: add one, as in ${written.replace('}}', '|there}}')}`)
    return value
  })
}

const refused = (msg: string) => invalid(['body', 'body'], msg)
