import type { PersonalTable } from '../../platform/personal-data.ts'
import { sql } from '../../platform/sql.ts'

const ownFiles = 'documents that members upload; they are not linked to people'

export const knowledgeData: PersonalTable[] = [
  { table: 'documents', exempt: ownFiles },
  {
    table: 'gap_questions',
    rows: ({ id }) => sql`contact_id = ${id}`,
    export: { columns: sql`id, text, reason, ticket_id, call_id, created_at` },
    erase: 'delete',
    merge: 'move',
  },
  { table: 'knowledge_gaps', exempt: 'groups of questions, without a text of their own' },
  { table: 'chunks', exempt: ownFiles },
  { table: 'collections', exempt: 'names that members give to sets of documents' },
  { table: 'document_replacements', exempt: ownFiles },
  { table: 'faqs', exempt: 'questions and answers that members write; they are not linked to people' },
  { table: 'websites', exempt: 'addresses that members add' },
  { table: 'website_pages', exempt: 'addresses of public pages' },
]
