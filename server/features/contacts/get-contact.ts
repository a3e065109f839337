import type { TenantSql } from '../../platform/database.ts'
import { found } from '../../platform/errors.ts'
import { findContact, findContactByPhone } from './queries.ts'
import type { Contact } from './schema.ts'

export async function getContact(sql: TenantSql, id: string): Promise<Contact> {
  return found(await findContact(sql, id), 'Contact')
}

/** The contact with this number in E.164, if there is one. */
export const findContactByNumber = (sql: TenantSql, phoneNumber: string): Promise<Contact | undefined> =>
  findContactByPhone(sql, phoneNumber)
