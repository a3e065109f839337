import Type from 'typebox'
import type { TenantTx } from '../../../platform/database.ts'
import { Instant, Nullable } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import { qualifiedColumns } from '../queries.ts'
import { Contact } from '../schema.ts'

export interface ConsentRow {
  contactId: string
  at: string
}

const said = (rows: ConsentRow[]) =>
  sql`unnest(${rows.map(({ contactId }) => contactId)}::uuid[], ${rows.map(({ at }) => at)}::timestamptz[]) said (id, at)`

/** Locks contacts in the order of their ids, like every other transaction, if their last statement is older. */
const heard = (rows: ConsentRow[]) => sql`
  select contacts.id, said.at, opted_out_at from contacts join ${said(rows)} on said.id = contacts.id
  where consent_at is null or consent_at <= said.at
  order by contacts.id for no key update of contacts`

/** Returns those that change from in to out; for the others only the time is updated. */
export const markOptedOut = (tx: TenantTx, rows: ConsentRow[]) =>
  tx.all(Contact)`
    with heard as (${heard(rows)}), again as (
      update contacts set consent_at = heard.at from heard where contacts.id = heard.id and heard.opted_out_at is not null
    )
    update contacts set opted_out_at = least(heard.at, now()), consent_at = heard.at, updated_at = now()
    from heard where contacts.id = heard.id and heard.opted_out_at is null
    returning ${qualifiedColumns}`

const OptedIn = Type.Object({ ...Contact.properties, previous_opted_out_at: Nullable(Instant) })

export const markOptedIn = (tx: TenantTx, rows: ConsentRow[]) =>
  tx.all(OptedIn)`
    with heard as (${heard(rows)}), again as (
      update contacts set consent_at = heard.at from heard where contacts.id = heard.id and heard.opted_out_at is null
    )
    update contacts set opted_out_at = null, consent_at = heard.at, updated_at = now()
    from heard where contacts.id = heard.id and heard.opted_out_at is not null
    returning ${qualifiedColumns}, heard.opted_out_at as previous_opted_out_at`
