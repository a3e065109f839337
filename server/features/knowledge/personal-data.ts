import type { PersonalTable } from '../../platform/personal-data.ts'

const ownFiles = 'documents that members upload; they are not linked to people'

export const knowledgeData: PersonalTable[] = [
  { table: 'documents', exempt: ownFiles },
  { table: 'chunks', exempt: ownFiles },
]
