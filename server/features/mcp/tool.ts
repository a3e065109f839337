import type { Static, TSchema } from 'typebox'
import type { TenantSql, TenantTx } from '../../platform/database.ts'
import type { Actor, Requirement } from '../../platform/http/principal.ts'

/** A tool for assistants: everything that is described and validated about it, besides its implementation. */
interface About<S extends TSchema> extends Requirement {
  name: string
  title: string
  /** For the model: what it does, and where its ids come from. */
  description: string
  input: S
  /** Its result, as `structuredContent`. */
  output: TSchema
  /** What to do when an id is not found. */
  whenMissing?: string
}

/** Reads only. */
interface ReadingTool<S extends TSchema = TSchema> extends About<S> {
  reads: true
  run(sql: TenantSql, input: Static<S>): Promise<object>
}

/** Writes, in one transaction. Its input has an `idempotency_key`. */
export interface WritingTool<S extends TSchema = TSchema> extends About<S> {
  reads: false
  run(tx: TenantTx, input: Static<S>, actor: Actor): Promise<object>
}

export type Tool = ReadingTool | WritingTool

export const readingTool = <S extends TSchema>(tool: Omit<ReadingTool<S>, 'reads'>): Tool =>
  ({ ...tool, reads: true }) as Tool

export const writingTool = <S extends TSchema>(tool: Omit<WritingTool<S>, 'reads'>): Tool =>
  ({ ...tool, reads: false }) as Tool
