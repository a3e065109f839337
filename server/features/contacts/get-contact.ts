import type { TenantSql } from '../../platform/database.ts'
import { findContactWithIdentities } from './identities/identity-queries.ts'
import { existing } from './merging/existing-contact.ts'
import { findContact } from './queries.ts'
import type { Contact, ContactWithIdentities } from './schema.ts'

export const getContact = (sql: TenantSql, id: string): Promise<Contact> => existing(sql, id, findContact(sql, id))

export const getContactWithIdentities = (sql: TenantSql, id: string): Promise<ContactWithIdentities> =>
  existing(sql, id, findContactWithIdentities(sql, id))
