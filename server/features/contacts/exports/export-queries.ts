import Type from 'typebox'
import type { TenantSql } from '../../../platform/database.ts'
import { sql } from '../../../platform/sql.ts'
import { type ContactConditions, filterConditions } from '../lists/conditions.ts'
import { searchPatterns } from '../lists/search-patterns.ts'
import { qualifiedColumns } from '../queries.ts'
import { Contact } from '../schema.ts'

/** The filtered contacts after an id, in the order of ids; a tag is found by its own index. */
function contactsBehind(filter: ContactConditions, after: string) {
  const { tag, search } = filter
  const matching = search ? sql`search_text like any (${searchPatterns(search)})` : sql`true`
  const conditions = sql`${filterConditions(filter)} and ${matching}`
  if (tag === undefined) return sql`contacts where contacts.id > ${after} and ${conditions} order by contacts.id`
  return sql`contact_tags t join contacts on contacts.id = t.contact_id
    and contacts.organization_id = t.organization_id and contacts.livemode = t.livemode
    where t.tag = ${tag} and t.contact_id > ${after} and ${conditions} order by t.contact_id`
}

export const listExported = (tx: TenantSql, filter: ContactConditions, after: string, limit: number) =>
  tx.all(Contact)`select ${qualifiedColumns} from ${contactsBehind(filter, after)} limit ${limit}`

const Keys = Type.Object({
  last_id: Type.Unsafe<string | null>({}),
  keys: Type.Record(Type.String(), Type.Boolean()),
})

/** Which custom fields a range of contacts has, and whether all their values are plain text. */
export const findCustomKeys = (
  tx: TenantSql,
  filter: ContactConditions,
  { after, contacts, keys }: { after: string; contacts: number; keys: number },
) =>
  tx.one(Keys)`
    with page as materialized (
      select contacts.id, contacts.custom_fields from ${contactsBehind(filter, after)} limit ${contacts}
    ), found as (
      select key, bool_and(jsonb_typeof(value) = 'string' and btrim(value #>> '{}') <> '') as is_text
      from page, jsonb_each(custom_fields) group by key order by key limit ${keys}
    )
    select (select id from page order by id desc limit 1) as last_id,
      (select coalesce(jsonb_object_agg(key, is_text), '{}') from found) as keys`
