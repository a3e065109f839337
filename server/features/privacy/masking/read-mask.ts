import type { TenantSql } from '../../../platform/database.ts'
import { findSettings } from '../queries.ts'
import { createMask, type Mask } from './create-mask.ts'

export const readMask = async (sql: TenantSql): Promise<Mask> => createMask((await findSettings(sql)).masking)
