import type { PersonalTable } from '../../platform/personal-data.ts'
import { sql } from '../../platform/sql.ts'

export const contactData: PersonalTable[] = [
  { table: 'contacts', rows: ({ id }) => sql`id = ${id}`, erase: 'delete' },
  { table: 'activities', rows: ({ id }) => sql`contact_id = ${id}`, erase: 'delete' },
  { table: 'contact_tags', rows: ({ id }) => sql`contact_id = ${id}`, erase: 'delete' },
  {
    table: 'contact_import_phones',
    rows: ({ addresses }) => sql`phone_number = any(${addresses}::text[])`,
    erase: 'delete',
  },
  { table: 'contact_import_chunks', exempt: 'the uploaded file, deleted when the import ends' },
  { table: 'contact_import_errors', exempt: 'rows that became no contact' },
]
