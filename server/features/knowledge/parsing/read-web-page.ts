import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UnreadableDocument } from './document.ts'
import type { WebPage } from './markup/extract-web-page.ts'
import { runParser } from './run-parser.ts'

/** A page of several megabytes of text takes a second or two. */
const limits = { timeMs: 30_000, memoryBytes: 512 << 20, characters: 5_000_000 }

interface WebPageOptions {
  /** The address after redirects: relative links are resolved against it. */
  url: string
  /** The `charset` of the response's content type. */
  charset?: string | undefined
  signal?: AbortSignal
}

/**
 * Reads a web page in a parser process, as documents are read. Throws `UnreadableDocument` when the page has no text or
 * takes too long.
 */
export async function readWebPage(html: Buffer, { url, charset, signal }: WebPageOptions): Promise<WebPage> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'frontdesk-page-'))
  try {
    const file = join(folder, 'page.html')
    await writeFile(file, html, { mode: 0o600 })
    const { webPage } = await runParser(
      { file, type: 'html', characters: limits.characters, engine: 'javascript', webPage: { url, charset } },
      { limits, endsAt: performance.now() + limits.timeMs, signal, onProgress: () => {} },
    )
    if (!webPage)
      throw new UnreadableDocument('damaged', 'The page is damaged in a way that no reader could make sense of.')
    return webPage
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
