import type { TenantSql } from '../../platform/database.ts'
import { notFound } from '../../platform/errors.ts'
import { findContact } from './queries.ts'
import type { Contact } from './schema.ts'

export async function getContact(sql: TenantSql, id: string): Promise<Contact> {
  const contact = await findContact(sql, id)
  if (!contact) throw notFound('Contact')
  return contact
}
