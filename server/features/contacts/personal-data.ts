import type { PersonalMentions, PersonalTable } from '../../platform/personal-data.ts'
import { sql } from '../../platform/sql.ts'
import { joinDistinctPairs } from './duplicates/queries.ts'
import { deleteErrorsMentioning } from './imports/queries.ts'

export const contactData: PersonalTable[] = [
  {
    table: 'contacts',
    rows: ({ id }) => sql`id = ${id}`,
    export: {
      columns: sql`id, phone_number, whatsapp_user_id, username, name, first_name, tags, notes, custom_fields, stage, ai_handling,
        opted_out_at, blocked_at, consent_at, time_zone, source_type, source_id, source_headline, source_url, source_at,
        last_activity_at, created_at, updated_at, (
          select jsonb_agg(jsonb_build_object('kind', kind, 'value', value, 'since', iso(since), 'until', iso(until)))
          from contact_identities i where i.contact_id = contacts.id) as identities`,
    },
    erase: 'delete',
    kept: 'until they are deleted',
  },
  {
    table: 'contact_identities',
    rows: ({ id }) => sql`contact_id = ${id}`,
    export: { exempt: 'the contact has them' },
    erase: 'delete',
    kept: 'as long as their contact',
  },
  {
    table: 'merged_contacts',
    rows: ({ id }) => sql`merged_into = ${id}`,
    export: { exempt: 'ids of contacts that were merged into this one' },
    erase: 'delete',
    kept: 'as long as their contact',
  },
  {
    table: 'distinct_contacts',
    rows: ({ id }) => sql`contact_id = ${id} or other_id = ${id}`,
    export: { exempt: 'pairs that a member knows to be two people' },
    erase: 'delete',
    kept: 'as long as both contacts',
    merge: joinDistinctPairs,
  },
  {
    table: 'activities',
    rows: ({ id }) => sql`contact_id = ${id}`,
    // Notes in conversations are for members alone: the entry stays, its text does not leave.
    export: {
      columns: sql`id, type, actor_type, case when payload ? 'note_id' then payload - 'note' else payload end as payload,
        created_at`,
    },
    erase: 'delete',
    kept: 'those of messages go with their messages, the others with their contact',
    merge: 'move',
  },
  {
    table: 'consents',
    rows: ({ id }) => sql`contact_id = ${id}`,
    export: { columns: sql`id, channel, purpose, state, source, text, at, created_at` },
    erase: 'delete',
    kept: 'as long as their contact: they prove what it agreed to',
    merge: 'move',
  },
  {
    table: 'contact_tags',
    rows: ({ id }) => sql`contact_id = ${id}`,
    export: { exempt: 'the contact has them' },
    erase: 'delete',
    kept: 'as long as the contact has them',
  },
  {
    table: 'contact_import_phones',
    rows: ({ addresses }) => sql`phone_number = any(${addresses}::text[])`,
    export: { exempt: 'numbers of a dry run' },
    erase: 'delete',
    kept: 'as long as the import runs',
  },
  { table: 'contact_import_chunks', exempt: 'the uploaded file, deleted when the import ends' },
  {
    // The filter of one that runs is needed until it ends.
    table: 'contact_bulk_edits',
    rows: ({ id }) => sql`state <> 'running' and exists (
      select from contacts c where c.id = ${id} and c.search_text like any (array(
        select substring_pattern(fold_text(part))
        from unnest(array[filter ->> 'search', regexp_replace(filter ->> 'search', '[\\s().+/-]', '', 'g')]) part)))`,
    export: { exempt: 'what a member searched for' },
    erase: sql`filter = filter - 'search'`,
    kept: '30 days',
  },
]

/** The message of a row that became no contact quotes what the row says. */
export const contactMentions: PersonalMentions[] = [
  {
    table: 'contact_import_errors',
    erase: async (tx, { patterns }) => ({ rows: await deleteErrorsMentioning(tx, patterns), last: null }),
  },
]
