import type { Static, TSchema } from 'typebox'
import { faultIn } from './check-schema.ts'
import type { Statement, StatementResult } from './pipeline.ts'

/** A piece of SQL with its values; created by the `sql` tag, nestable, sent as one prepared statement. */
export class Fragment {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings
    this.values = values
  }
}

type Tag<T> = (strings: TemplateStringsArray, ...values: unknown[]) => Promise<T>

/** Statements under one scope. Rows are trusted in production and validated against their schema in tests. */
export interface Sql {
  all<S extends TSchema>(row: S): Tag<Static<S>[]>
  one<S extends TSchema>(row: S): Tag<Static<S>>
  maybe<S extends TSchema>(row: S): Tag<Static<S> | undefined>
  /** For statements whose rows are not needed: returns the number of affected rows. */
  run: Tag<number>
  /** For libraries that bring their own SQL (the queue). */
  raw(text: string, values: readonly unknown[]): Promise<StatementResult>
}

/** Tagged SQL: `sql\`name = ${name}\``. Values become parameters, fragments are inlined. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Fragment {
  return new Fragment(strings, values)
}

/** Joins fragments: `joinSql(conditions, ' and ')`; an empty list gives `empty`. */
export function joinSql(parts: readonly Fragment[], separator: string, empty: Fragment = sql``): Fragment {
  if (parts.length === 0) return empty
  return new Fragment(['', ...Array(parts.length - 1).fill(separator), ''], parts)
}

function compile(strings: readonly string[], values: readonly unknown[]): Statement {
  let text = strings[0] as string
  const parameters: unknown[] = []
  const append = (parts: readonly string[], holes: readonly unknown[]) => {
    for (let i = 0; i < holes.length; i++) {
      const hole = holes[i]
      if (hole instanceof Fragment) {
        text += hole.strings[0]
        append(hole.strings, hole.values)
      } else {
        parameters.push(hole)
        text += `$${parameters.length}`
      }
      text += parts[i + 1]
    }
  }
  append(strings, values)
  return { text, values: parameters }
}

/** Passes statements to `send` and shapes the rows of the result. */
export function sqlOver(send: (statement: Statement) => Promise<StatementResult>, checkRows: boolean): Sql {
  const rowsOf = async (row: TSchema, statement: Statement) => {
    const { rows } = await send(statement)
    if (checkRows) for (const each of rows) assertRow(row, each, statement.text)
    return rows as never[]
  }
  return {
    all:
      (row) =>
      (strings, ...values) =>
        rowsOf(row, compile(strings, values)),
    one:
      (row) =>
      async (strings, ...values) => {
        const rows = await rowsOf(row, compile(strings, values))
        if (rows.length !== 1) throw new Error(`expected one row, got ${rows.length}: ${strings.join('?')}`)
        return rows[0] as never
      },
    maybe:
      (row) =>
      async (strings, ...values) =>
        (await rowsOf(row, compile(strings, values)))[0],
    run: async (strings, ...values) => (await send(compile(strings, values))).rowCount,
    raw: (text, values) => send({ text, values }),
  }
}

function assertRow(schema: TSchema, row: unknown, text: string): void {
  const fault = faultIn(schema, row)
  if (fault) throw new Error(`row ${fault}: ${JSON.stringify(row)} from ${text}`)
}
