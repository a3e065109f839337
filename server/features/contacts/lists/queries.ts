import type { TenantSql } from '../../../platform/database.ts'
import { beforeEverything, idsBefore, rowsBeyond } from '../../../platform/http/pagination.ts'
import { sql } from '../../../platform/sql.ts'
import { columns, qualifiedColumns } from '../queries.ts'
import { ContactRow, filterConditions, jsonFilters, listed, type PageConditions, totalOf } from './conditions.ts'
import { TagCount, type TagFilter } from './schema.ts'
import { searchPatterns } from './search-patterns.ts'
import { sortContacts } from './sorted-queries.ts'

/**
 * A page and its total, newest first, in one statement. The total comes from counters; only contacts of a source, those
 * that no agent answers, or those of a tag with other filters are counted, by an index.
 */
export function listContacts(tx: TenantSql, filter: PageConditions) {
  const { tag, limit, starting_after: cursor } = filter
  if (filter.search) return searchContacts(tx, filter, filter.search)
  if (filter.sort !== undefined && filter.sort !== '-created_at') return sortContacts(tx, filter, filter.sort)
  const conditions = filterConditions(filter)
  if (tag === undefined)
    return tx.all(ContactRow)`
      select page.*, total_count from (${totalOf(filter)}) total
        left join lateral (
          select ${listed(tx, filter, columns)} from contacts where ${idsBefore(cursor)} and ${conditions} order by id desc limit ${rowsBeyond(limit)}
        ) page on true
      order by page.id desc`
  const tagged = sql`contact_tags t join contacts on contacts.id = t.contact_id
    and contacts.organization_id = t.organization_id and contacts.livemode = t.livemode
    where t.tag = ${tag} and ${conditions}`
  const { stage, ai_handling, opted_out, source_type, source_id, attended } = filter
  const isFiltered = [stage, ai_handling, opted_out, source_type, source_id, attended].some(
    (each) => each !== undefined,
  )
  const total = isFiltered
    ? sql`select count(*) as total_count from ${tagged}`
    : sql`select coalesce(sum(n), 0)::bigint as total_count from contact_tag_counts where tag = ${tag}`
  return tx.all(ContactRow)`
    select page.*, total_count from (${total}) total
      left join lateral (
        select ${listed(tx, filter, qualifiedColumns)} from ${tagged} and ${cursor === undefined ? sql`true` : sql`t.contact_id < ${cursor}`}
        order by t.contact_id desc limit ${rowsBeyond(limit)}
      ) page on true
    order by page.id desc`
}

/** The most used first; read from counters, so the number of contacts does not matter. */
export const listTags = (tx: TenantSql, { search = '', limit }: TagFilter) =>
  tx.all(TagCount)`
    select tag, sum(n)::bigint as contacts from contact_tag_counts
    where strpos(lower(tag), lower(${search.trim()})) > 0 or ${search.trim()} = ''
    group by tag having sum(n) > 0 order by contacts desc, tag limit ${limit}`

function searchContacts(tx: TenantSql, filter: PageConditions, search: string) {
  const { limit, starting_after: before = beforeEverything } = filter
  return tx.all(ContactRow)`
    select page.*, total as total_count
    from search_contacts(${searchPatterns(search)}, ${jsonFilters(filter)}, ${before}, ${limit + 1}) found
      left join lateral (select ${listed(tx, filter, columns)} from contacts where contacts.id = found.id) page on true
    order by page.id desc`
}
