import type { TenantSql } from '../../platform/database.ts'
import { found } from '../../platform/errors.ts'
import { findContact } from './queries.ts'
import type { Contact } from './schema.ts'

export async function getContact(sql: TenantSql, id: string): Promise<Contact> {
  return found(await findContact(sql, id), 'Contact')
}
