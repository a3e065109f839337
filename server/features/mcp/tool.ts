import type { Static, TSchema } from 'typebox'
import type { TenantSql, TenantTx } from '../../platform/database.ts'
import type { Actor } from '../../platform/http/principal.ts'

/** Something that an assistant can do here: everything that is shown and checked about it, besides what it does. */
interface About<S extends TSchema> {
  name: string
  title: string
  /** For the model: what it does, and where its ids come from. */
  description: string
  /** What the credential needs; without it the tool is not even shown. */
  scope: string
  input: S
  /** What it answers, as `structuredContent`. */
  output: TSchema
  /** What to do when an id names nothing. */
  whenMissing?: string
}

/** Looks something up. */
export interface ReadingTool<S extends TSchema = TSchema> extends About<S> {
  reads: true
  run(sql: TenantSql, input: Static<S>): Promise<object>
}

/** Adds something, in one transaction. Its input has an `idempotency_key`. */
export interface WritingTool<S extends TSchema = TSchema> extends About<S> {
  reads: false
  run(tx: TenantTx, input: Static<S>, actor: Actor): Promise<object>
}

export type Tool = ReadingTool | WritingTool

export const readingTool = <S extends TSchema>(tool: Omit<ReadingTool<S>, 'reads'>): Tool =>
  ({ ...tool, reads: true }) as Tool

export const writingTool = <S extends TSchema>(tool: Omit<WritingTool<S>, 'reads'>): Tool =>
  ({ ...tool, reads: false }) as Tool
