import type { Readable } from 'node:stream'
import type { TenantScope } from '../../platform/database.ts'

/** Where uploaded and received bytes are kept. */
export interface FileStore {
  /** Resolves when the bytes would survive a crash; when `bytes` throws, nothing is left behind. */
  write(key: string, bytes: AsyncIterable<Buffer>): Promise<StoredFile>
  /** Throws `FileMissing`. `end` is inclusive, as in HTTP. */
  read(key: string, range?: { start: number; end: number }): Promise<Readable>
  /** A file that is not there counts as removed. */
  remove(key: string): Promise<void>
}

export interface StoredFile {
  size: number
  /** Hexadecimal. */
  sha256: string
}

export class FileMissing extends Error {
  constructor() {
    super('the file is not there')
  }
}

/** Throws for a key that could mean something other than a file of ours: nothing in it climbs, starts or ends anywhere. */
export function checkKey(key: string): void {
  if (key.length > 512 || !/^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/.test(key))
    throw new Error('a file key holds only plain names between slashes')
}

/** Each organization and mode has its own folder. The id is ours, so a key never holds anything that a stranger wrote. */
export const fileKey = ({ organizationId, livemode }: TenantScope, noun: string, id: string): string =>
  `${organizationId}/${livemode ? 'live' : 'test'}/${noun}/${id}`
