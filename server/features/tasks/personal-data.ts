import type { PersonalTable } from '../../platform/personal-data.ts'
import { sql } from '../../platform/sql.ts'

export const taskData: PersonalTable[] = [
  { table: 'tasks', rows: ({ id }) => sql`contact_id = ${id}`, erase: 'delete' },
]
