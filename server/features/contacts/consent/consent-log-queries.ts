import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { readCursorPage } from '../../../platform/http/pagination.ts'
import { sql } from '../../../platform/sql.ts'
import { Consent, type ConsentFilter, type NewConsent } from './schema.ts'

const columns = sql`id, organization_id, contact_id, channel, purpose, state, source, text, at, livemode, created_at`

type ConsentEntry = Omit<NewConsent, 'at'> & { contactId: string; at: string }

export const insertConsents = (tx: TenantTx, entries: ConsentEntry[]) =>
  tx.all(Consent)`
    insert into consents (contact_id, channel, purpose, state, source, text, at)
    select * from unnest(${entries.map(({ contactId }) => contactId)}::uuid[], ${entries.map(({ channel }) => channel)}::text[],
      ${entries.map(({ purpose }) => purpose)}::text[], ${entries.map(({ state }) => state)}::text[],
      ${entries.map(({ source }) => source)}::text[], ${entries.map(({ text }) => text)}::text[],
      ${entries.map(({ at }) => at)}::timestamptz[])
    returning ${columns}`

export const listConsents = (tx: TenantSql, contactId: string, filter: ConsentFilter) =>
  readCursorPage<Consent>(tx, { columns, from: sql`consents`, where: sql`contact_id = ${contactId}` }, filter)
