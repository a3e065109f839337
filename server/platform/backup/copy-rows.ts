import { once } from 'node:events'
import type { Socket } from 'node:net'
import type pg from 'pg'
import type { ClientConfig } from 'pg'
import { asOptions, serviceClient } from '../connection.ts'

/** Values have one text form, and no timeout of the server ends the session. */
const settings = {
  client_encoding: 'UTF8',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  extra_float_digits: '1',
  bytea_output: 'hex',
  timezone: 'UTC',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
}

/** A session that reads or writes a backup. */
export async function connectForCopy(connection: ClientConfig, name: string): Promise<pg.Client> {
  const client = serviceClient(connection, name, asOptions(settings))
  await client.connect()
  return client
}

/** What `pg` hands to a query that speaks the protocol itself. */
interface Wire {
  stream: Socket
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

/** `pg` has no COPY of its own; its `submit` hook lets us handle the messages. */
class CopyQuery {
  /** Resolves with the number of rows. */
  readonly ended: Promise<number>
  // `client.query` requires a callback or creates its own promise.
  callback = () => {}
  private rows = 0
  private readonly text: string
  private readonly settle: PromiseWithResolvers<number>

  constructor(text: string) {
    this.text = text
    this.settle = Promise.withResolvers<number>()
    this.ended = this.settle.promise
    // Awaited when the data has been passed on; until then a rejection must not count as unhandled.
    this.ended.catch(() => {})
  }

  submit(wire: Wire): null {
    wire.query(this.text)
    return null
  }

  handleCommandComplete({ text }: { text: string }) {
    this.rows = Number(text.replace('COPY ', ''))
  }

  handleReadyForQuery() {
    this.settle.resolve(this.rows)
  }

  handleError(error: Error) {
    this.settle.reject(error)
  }

  handleCopyInResponse(_: Wire) {}
  handleCopyData(_: { chunk: Buffer }, _wire: Wire) {}
}

const maxWaitingBytes = 1024 * 1024

/**
 * `copy … to stdout`: yields the bytes and returns the number of rows. While the consumer is slower than the server, it
 * reads no more from the socket.
 */
export async function* copyOut(client: pg.Client, text: string): AsyncGenerator<Buffer, number> {
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let wake = () => {}
  let paused: Socket | undefined
  const query = new CopyQuery(text)
  query.handleCopyData = ({ chunk }, wire) => {
    // `pg` reuses the memory of this chunk.
    waiting.push(Buffer.from(chunk))
    waitingBytes += chunk.length
    if (waitingBytes > maxWaitingBytes) paused = wire.stream.pause()
    wake()
  }
  let isDone = false
  const done = () => {
    isDone = true
    wake()
  }
  query.ended.then(done, done)
  client.query(query as never)
  while (!isDone || waiting.length > 0) {
    if (waiting.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
      continue
    }
    const bytes = Buffer.concat(waiting)
    waiting = []
    waitingBytes = 0
    yield bytes
    paused?.resume()
    paused = undefined
  }
  return query.ended
}

/** `copy … from stdin`; returns the number of rows. If `bytes` throws, the server rolls the statement back. */
export async function copyIn(client: pg.Client, text: string, bytes: AsyncIterable<Buffer>): Promise<number> {
  const query = new CopyQuery(text)
  const { promise: sending, resolve, reject } = Promise.withResolvers<void>()
  query.handleCopyInResponse = (wire) => void send(wire).then(resolve, reject)
  let isRefused = false
  query.ended.catch(() => {
    isRefused = true
    resolve()
  })
  async function send(wire: Wire): Promise<void> {
    try {
      for await (const chunk of bytes) {
        if (isRefused) return
        wire.sendCopyFromChunk(chunk)
        if (wire.stream.writableNeedDrain) await Promise.race([once(wire.stream, 'drain'), query.ended])
      }
      wire.endCopyFrom()
    } catch (error) {
      wire.sendCopyFail((error as Error).message)
      throw error
    }
  }
  client.query(query as never)
  await sending
  return query.ended
}
