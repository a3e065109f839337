import type { PersonalTable } from '../../platform/personal-data.ts'
import { sql } from '../../platform/sql.ts'

export const taskData: PersonalTable[] = [
  {
    table: 'tasks',
    rows: ({ id }) => sql`contact_id = ${id}`,
    export: { columns: sql`id, title, description, due_at, status, completed_at, created_at, updated_at` },
    erase: 'delete',
    merge: 'move',
    kept: 'as long as their contact',
  },
]
