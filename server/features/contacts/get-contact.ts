import type { TenantSql } from '../../platform/database.ts'
import { findContactWithIdentities } from './identities/identity-queries.ts'
import { existing } from './merging/existing-contact.ts'
import { findContact, findContactByPhone } from './queries.ts'
import type { Contact, ContactWithIdentities } from './schema.ts'

export const getContact = (sql: TenantSql, id: string): Promise<Contact> => existing(sql, id, findContact(sql, id))

export const getContactWithIdentities = (sql: TenantSql, id: string): Promise<ContactWithIdentities> =>
  existing(sql, id, findContactWithIdentities(sql, id))

/** The contact with this number in E.164, if there is one. */
export const findContactByNumber = (sql: TenantSql, phoneNumber: string): Promise<Contact | undefined> =>
  findContactByPhone(sql, phoneNumber)
