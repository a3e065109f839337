import type { TenantSql } from '../../platform/database.ts'
import { findScheduleRow } from './queries.ts'
import type { Schedule } from './schema.ts'

export const findSchedule = (sql: TenantSql, id: string): Promise<Schedule | undefined> => findScheduleRow(sql, id)
