import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { LiteParseConfig } from '@llamaindex/liteparse'

/** Text recognition (OCR) for one document. */
export interface Recognition {
  languages: { name: string; file: string }[]
  /** An empty folder of this document's own, for the unpacked data. */
  folder: string
  /** Counts from the first page whose text has to be recognized. */
  timeMs: number
}

/**
 * The settings of the native reader for it. The data is unpacked when the first page needs it; data that is missing
 * would be downloaded.
 */
export function recognitionConfig({ languages, folder }: Recognition): Partial<LiteParseConfig> {
  for (const { name, file } of languages) {
    const unpacked = join(folder, `${name}.traineddata`)
    if (!existsSync(unpacked)) writeFileSync(unpacked, gunzipSync(readFileSync(file)))
  }
  return {
    ocrEnabled: true,
    ocrLanguage: languages.map(({ name }) => name).join('+'),
    tessdataPath: folder,
    // A document waits for one processor, like any other.
    numWorkers: 1,
  }
}
