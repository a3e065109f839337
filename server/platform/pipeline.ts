import type { Socket } from 'node:net'
import type { Client } from 'pg'
import pg from 'pg'

/**
 * Several prepared statements in one round trip, closed by a single Sync.
 *
 * Without `begin` PostgreSQL treats everything before the Sync as one implicit transaction, so "set the organization,
 * then select" takes one round trip and still cannot leak its settings to the next user of the connection. `pg` sends
 * one statement per round trip; its `submit` hook lets us send protocol messages ourselves.
 */
export interface Statement {
  text: string
  values: readonly unknown[]
}

export interface StatementResult {
  rows: Record<string, unknown>[]
  rowCount: number
  /** The command tag: `INSERT 0 1`, or `ROLLBACK` for a commit after a failure. */
  tag: string
}

interface Field {
  name: string
  dataTypeID: number
}

type RowReader = (fields: (string | null)[]) => Record<string, unknown>

/** What one connection has prepared so far, and how to parse the rows of each statement. */
interface Prepared {
  names: Map<string, string>
  readers: Map<string, RowReader>
}

interface Wire {
  stream: { cork(): void; uncork(): void }
  parse(message: { name: string; text: string; types: number[] }): void
  bind(message: {
    statement: string
    portal: string
    values: readonly unknown[]
    valueMapper: (value: unknown) => unknown
  }): void
  describe(message: { type: 'P'; name: string }): void
  execute(message: { portal: string; rows: number }): void
  close(message: { type: 'S'; name: string }): void
  sync(): void
}

const preparedBy = new WeakMap<Wire, Prepared>()
let statementNumber = 0
const statementNames = new Map<string, string>()

function nameOf(text: string): string {
  let name = statementNames.get(text)
  if (!name) {
    name = `fd${++statementNumber}`
    statementNames.set(text, name)
  }
  return name
}

const noRow: RowReader = () => ({})

function rowReader(fields: Field[]): RowReader {
  const names = fields.map((field) => field.name)
  const parsers = fields.map((field) => pg.types.getTypeParser(field.dataTypeID, 'text'))
  return (values) => {
    const row: Record<string, unknown> = {}
    for (let i = 0; i < names.length; i++) {
      const value = values[i]
      row[names[i] as string] = value === null ? null : parsers[i]?.(value as string)
    }
    return row
  }
}

class Pipeline {
  readonly results: StatementResult[] = []
  private current = 0
  private readonly preparedHere: string[] = []
  private prepared: Prepared | undefined
  private failed: Error | undefined
  // `client.query` requires a callback or creates its own promise.
  callback: (error: Error | null) => void = () => {}

  private readonly isNamed: boolean
  private readonly statements: readonly Statement[]
  private readonly settle: { resolve(results: StatementResult[]): void; reject(error: Error): void }

  constructor(
    statements: readonly Statement[],
    settle: { resolve(results: StatementResult[]): void; reject(error: Error): void },
    isNamed: boolean,
  ) {
    this.isNamed = isNamed
    this.statements = statements
    this.settle = settle
  }

  submit(wire: Wire): Error | null {
    let prepared = preparedBy.get(wire)
    if (!prepared) {
      prepared = { names: new Map(), readers: new Map() }
      preparedBy.set(wire, prepared)
    }
    this.prepared = prepared
    wire.stream.cork()
    try {
      for (const { text, values } of this.statements) {
        const name = this.isNamed ? nameOf(text) : ''
        if (!this.isNamed) {
          wire.parse({ name, text, types: [] })
          prepared.readers.delete(text)
        } else if (!prepared.names.has(text)) {
          // A pipeline that failed half-way may have left this name behind: closing an unknown name is no error.
          wire.close({ type: 'S', name })
          wire.parse({ name, text, types: [] })
          prepared.names.set(text, name)
          this.preparedHere.push(text)
        }
        wire.bind({ statement: name, portal: '', values, valueMapper: encode })
        if (!prepared.readers.has(text)) wire.describe({ type: 'P', name: '' })
        wire.execute({ portal: '', rows: 0 })
        this.results.push({ rows: [], rowCount: 0, tag: '' })
      }
    } catch (error) {
      // A value that cannot be encoded: the statements before it are on the wire already, so let the Sync close them
      // and report the error when the connection is ready again.
      this.failed = error as Error
    } finally {
      wire.sync()
      wire.stream.uncork()
    }
    return null
  }

  handleRowDescription(message: { fields: Field[] }) {
    const { text } = this.statements[this.current] as Statement
    this.prepared?.readers.set(text, rowReader(message.fields))
  }

  handleDataRow(message: { fields: (string | null)[] }) {
    const { text } = this.statements[this.current] as Statement
    try {
      const read = this.prepared?.readers.get(text) ?? noRow
      this.results[this.current]?.rows.push(read(message.fields))
    } catch (error) {
      this.failed ??= error as Error
    }
  }

  handleCommandComplete(message: { text: string }) {
    const { text } = this.statements[this.current] as Statement
    // No row description arrived before its end: the statement returns no rows.
    if (!this.prepared?.readers.has(text)) this.prepared?.readers.set(text, noRow)
    const result = this.results[this.current] as StatementResult
    result.tag = message.text
    result.rowCount = Number(message.text.slice(message.text.lastIndexOf(' ') + 1)) || 0
    this.current++
  }

  handleEmptyQuery() {
    this.current++
  }

  handleError(error: Error) {
    // The server skipped everything after the failed statement, including its preparation: prepare it again next time.
    for (const text of this.preparedHere) {
      this.prepared?.names.delete(text)
      this.prepared?.readers.delete(text)
    }
    // A migration has changed a table that statements of this connection depend on, perhaps more than this one.
    if (isStale(error)) {
      this.prepared?.names.clear()
      this.prepared?.readers.clear()
    }
    Error.captureStackTrace(error)
    this.settle.reject(error)
  }

  handleReadyForQuery() {
    if (this.failed) this.handleError(this.failed)
    else this.settle.resolve(this.results)
  }

  handlePortalSuspended() {}
  handleCopyInResponse() {}
  handleCopyData() {}
}

/** Arrays are sent as PostgreSQL arrays, objects as JSON: the rules of `pg` itself. */
function encode(value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value
  if (Array.isArray(value)) return encodeArray(value)
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value)
}

function encodeArray(values: unknown[]): string {
  const parts = values.map((value) => {
    if (value === null || value === undefined) return 'NULL'
    if (Array.isArray(value)) return encodeArray(value)
    const text = Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(encode(value))
    // Most values need no escape, and testing first is cheaper than replacing nothing.
    return `"${/["\\]/.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`
  })
  return `{${parts.join(',')}}`
}

/** The statement was prepared before its tables changed: it did nothing, and works when it is prepared again. */
export const isStale = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.routine === 'RevalidateCachedQuery' || error.code === '26000')

/**
 * Runs the statements in order and returns each one's rows; the first that fails rejects them all. A server that stays
 * silent for `timeoutMs`, longer than its own statement timeout, is unreachable: the connection is closed. A pooler may
 * give each pipeline another server connection, which knows no named statement: then they must be unnamed.
 */
export function runPipeline(
  client: Client,
  statements: readonly Statement[],
  { timeoutMs, isNamed }: { timeoutMs: number; isNamed: boolean },
): Promise<StatementResult[]> {
  return new Promise((resolve, reject) => {
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
    const silence = setTimeout(() => stream.destroy(new Error('Connection terminated: no answer')), timeoutMs)
    const settle = {
      resolve(results: StatementResult[]) {
        clearTimeout(silence)
        resolve(results)
      },
      reject(error: Error) {
        clearTimeout(silence)
        reject(error)
      },
    }
    client.query(new Pipeline(statements, settle, isNamed) as never)
  })
}
