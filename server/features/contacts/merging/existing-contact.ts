import type { TenantSql } from '../../../platform/database.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { findMergedInto } from './merge-queries.ts'

/** The contact, or 404; for one that was merged, with the id of the contact that has everything now. */
export async function existing<T>(sql: TenantSql, id: string, found: Promise<T | undefined>): Promise<T> {
  return (await found) ?? missingContact(sql, id)
}

export async function missingContact(sql: TenantSql, id: string): Promise<never> {
  const merged = await findMergedInto(sql, id)
  const { status, message } = notFound('Contact')
  throw new AppError(status, message, merged)
}
