import type { TenantSql } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { overdueCount } from '../tasks/count-overdue.ts'
import { Dashboard } from './schema.ts'

const sumWhere = (condition: ReturnType<typeof sql>) => sql`coalesce(sum(n) filter (where ${condition}), 0)`

/** One statement, so that all figures come from one snapshot; from counters, so that it does not grow with the rows. */
export const readDashboard = (tx: TenantSql) =>
  tx.one(Dashboard)`
    select contacts, handling, tasks from
      (select
        json_build_object(
          'total', coalesce(sum(n), 0),
          'new', ${sumWhere(sql`stage = 'new'`)},
          'engaged', ${sumWhere(sql`stage = 'engaged'`)},
          'qualified', ${sumWhere(sql`stage = 'qualified'`)},
          'customers', ${sumWhere(sql`stage = 'customer'`)},
          'lost', ${sumWhere(sql`stage = 'lost'`)}) as contacts,
        json_build_object('ai', ${sumWhere(sql`ai_handling`)}, 'human', ${sumWhere(sql`not ai_handling`)}) as handling
        from contact_counts) counted,
      (select json_build_object(
        'pending', (select coalesce(sum(n), 0) from task_counts where status = 'pending'),
        'overdue', ${overdueCount}) as tasks) due`
