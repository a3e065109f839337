import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FileStore } from '../../../providers/files/contract.ts'
import type { ChunkedDocument } from '../chunking/split-text.ts'
import type { FileKind } from '../parsing/file-kinds.ts'
import { parseDocument } from '../parsing/parse-document.ts'

interface Reading {
  fileKey: string
  kind: FileKind
  ocrLanguages: readonly string[] | undefined
  signal: AbortSignal
  onProgress(share: number): void
}

/** Parsers read from disk: the stored file is copied there, read, and the copy removed. */
export async function readDocument(
  files: FileStore,
  { fileKey, kind, ocrLanguages, signal, onProgress }: Reading,
): Promise<ChunkedDocument> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-document-'))
  try {
    const path = join(folder, `document.${kind}`)
    await pipeline(await files.read(fileKey), createWriteStream(path, { mode: 0o600 }), { signal })
    return await parseDocument(path, { type: kind, ocrLanguages, signal, onProgress })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
