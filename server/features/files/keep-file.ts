import type { Database, TenantScope, TenantTx } from '../../platform/database.ts'
import { newId } from '../../platform/ids.ts'
import { headBytes } from '../../platform/mime-types.ts'
import { createStreamHead } from '../../platform/stream-head.ts'
import { type FileStore, fileKey } from '../../providers/files/contract.ts'
import { announceFile, claimFile } from './queries.ts'

export interface Keeping {
  database: Database
  files: FileStore
}

/**
 * Streams the bytes into the file store. The file is scheduled for removal before a row owns it, so that a process that
 * dies in between leaves no orphan. The transaction that inserts the row calls `claimKeptFile`.
 */
export async function keepFile(
  { database, files }: Keeping,
  scope: TenantScope,
  bytes: AsyncIterable<Buffer>,
  noun = 'media',
) {
  const id = newId()
  const key = fileKey(scope, noun, id)
  const sql = database.forTenant(scope)
  await announceFile(sql, key)
  /** Removes the file if no row owns it after all. */
  const discard = async () => {
    await files.remove(key)
    await claimFile(sql, key)
  }
  const head = createStreamHead(headBytes)
  try {
    const { size, sha256 } = await files.write(key, head.remembering(bytes))
    return { id, key, size, sha256, head: head.bytes(), discard }
  } catch (error) {
    await discard()
    throw error
  }
}
export type FreshFile = Awaited<ReturnType<typeof keepFile>>

/** The row that this transaction inserts owns the file from now on. */
export const claimKeptFile = (tx: TenantTx, key: string): Promise<unknown> => claimFile(tx, key)
