import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { type OpenTransaction, type Transaction, TryAgain } from './database.ts'
import type { Jobs } from './jobs.ts'
import { isStale, type Statement, type StatementResult } from './pipeline.ts'
import { sqlOver } from './sql.ts'

export type Connect = () => Promise<pg.PoolClient>

export interface Connections {
  /** Sends the statements as one pipeline. */
  run(client: pg.PoolClient, statements: readonly Statement[]): Promise<StatementResult[]>
  /** Validates every row against its schema. */
  checkRows: boolean
  signal(channel: string, payload?: string): void
}

interface Opening {
  connect: Connect
  /** The first statements: the role, and whose rows it sees. */
  enter: Statement[]
  addJob: Jobs['enqueue'] | undefined
}

const begin: Statement = { text: 'begin', values: [] }
const commit: Statement = { text: 'commit', values: [] }
const rollback: Statement = { text: 'rollback', values: [] }

/**
 * Two nested transactions of one request on a small pool can deadlock while waiting for a connection: refuse nesting in
 * tests.
 */
const openTransaction = new AsyncLocalStorage<true>()

/** A single statement, with those that it needs before it. */
export async function runAlone(
  { run }: Pick<Connections, 'run'>,
  connect: Connect,
  statements: Statement[],
): Promise<StatementResult> {
  for (let attempt = 1; ; attempt++) {
    const client = await connect()
    try {
      const results = await run(client, statements)
      giveBack(client)
      return results.at(-1) as StatementResult
    } catch (error) {
      giveBack(client, isBroken(error))
      if (attempt === 3 || !mayTryAgain(error)) throw error
    }
  }
}

/** Runs the work in one transaction; again, if it lost a race. */
export async function transact<T>(
  connections: Connections,
  opening: Opening,
  work: (sql: OpenTransaction) => Promise<T>,
): Promise<T> {
  if (connections.checkRows && openTransaction.getStore()) throw new Error('a transaction was opened inside another')
  for (let attempt = 1; ; attempt++) {
    try {
      return await transactOnce(connections, opening, work)
    } catch (error) {
      if (attempt === 3 || !mayTryAgain(error)) throw error
    }
  }
}

async function transactOnce<T>(
  { run, checkRows, signal: announce }: Connections,
  { connect, enter, addJob }: Opening,
  work: (sql: OpenTransaction) => Promise<T>,
): Promise<T> {
  const client = await connect()
  const signals: [string, string | undefined][] = []
  // Statements issued in the same tick are sent as one pipeline; the opening statements go with the first one.
  let waiting: { statement: Statement; resolve(result: StatementResult): void; reject(error: unknown): void }[] = []
  let opened = false
  let broken = false
  // Branches of the work may outlive it; by then the connection belongs to another transaction.
  let ended = false
  const submit = async (statements: Statement[]) => {
    try {
      return await run(client, statements)
    } catch (error) {
      broken ||= isBroken(error)
      throw error
    }
  }
  let sending: Promise<void> | undefined
  const flush = () => {
    // A connection carries one pipeline at a time: statements issued while one is in flight go with the next.
    if (waiting.length === 0 || sending) return
    const batch = waiting
    waiting = []
    if (ended) {
      for (const { reject } of batch) reject(hasEnded())
      return
    }
    const lead = opened ? [] : [begin, ...enter]
    opened = true
    sending = submit([...lead, ...batch.map(({ statement }) => statement)])
      .then(
        (results) => {
          for (const [i, { resolve }] of batch.entries()) resolve(results[lead.length + i] as StatementResult)
        },
        (error) => {
          for (const { reject } of batch) reject(error)
        },
      )
      .finally(() => {
        sending = undefined
        flush()
      })
  }
  /** Waits until everything issued so far is answered. */
  const settled = async () => {
    for (flush(); sending; ) await sending
  }
  const send = (statement: Statement) =>
    new Promise<StatementResult>((resolve, reject) => {
      if (waiting.push({ statement, resolve, reject }) === 1) queueMicrotask(flush)
    })
  const sendLast = async (statement: Statement) => {
    await settled()
    if (ended) throw hasEnded()
    const wasOpened = opened
    opened = false
    try {
      // A single statement between two Syncs is a transaction of its own and needs neither begin nor commit.
      const results = await submit(wasOpened ? [statement, commit] : [...enter, statement])
      return results[wasOpened ? 0 : enter.length] as StatementResult
    } catch (error) {
      // The server skipped the commit that followed the failed statement.
      opened ||= wasOpened
      throw error
    }
  }
  try {
    const signal = (channel: string, payload?: string) => void signals.push([channel, payload])
    const tx = sqlOver(send, checkRows)
    const enqueue: Transaction['enqueue'] = async (kind, payload, enqueueOptions) => {
      if (!addJob) throw new Error('this process has no job queue')
      await addJob(tx, kind, payload, enqueueOptions)
    }
    const begun = () => work({ ...tx, signal, enqueue, last: sqlOver(sendLast, checkRows) })
    const result = await (checkRows ? openTransaction.run(true, begun) : begun())
    await settled()
    ended = true
    if (opened) {
      const [committed] = await submit([commit])
      // PostgreSQL answers a commit after a failed statement with ROLLBACK, and reports it as success.
      if (committed?.tag !== 'COMMIT') throw new Error('the transaction was rolled back: its work ignored a failure')
    }
    giveBack(client)
    for (const [channel, payload] of signals) announce(channel, payload)
    return result
  } catch (error) {
    ended = true
    await settled()
    if (opened && !broken) await submit([rollback]).catch(() => {})
    giveBack(client, broken)
    throw error
  }
}

const hasEnded = () => new Error('the transaction has ended')

/** Returns the connection to the pool, unless it is broken or, unexpectedly, still in a transaction. */
function giveBack(client: pg.PoolClient, broken = false): void {
  client.release(broken || client.getTransactionStatus() !== 'I')
}

/** An error reported by the server leaves the connection usable; any other error (a dead socket) does not. */
function isBroken(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || error.severity === 'FATAL' || error.severity === 'PANIC'
}

/** Deadlocks and serialization failures: PostgreSQL rolled the transaction back and expects the client to retry. */
function mayTryAgain(error: unknown): boolean {
  if (error instanceof TryAgain || isStale(error)) return true
  return error instanceof pg.DatabaseError && (error.code === '40P01' || error.code === '40001')
}
