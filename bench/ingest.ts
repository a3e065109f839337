import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseDocument } from '../server/features/knowledge/parsing/parse-document.ts'
import { createLocalEmbedder } from '../server/providers/embeddings/local.ts'
import { wordFile } from '../server/testing/docx.ts'
import { textPdf, typeset } from '../server/testing/pdf.ts'
import { fill } from './fill.ts'
import { benchDatabase, format, median, ratioLine, report, rounds, serveFrontdesk } from './harness.ts'
import { houseTexts } from './retrieval-texts/house-texts.ts'
import { serviceTexts } from './retrieval-texts/service-texts.ts'
import { makeWordSoup } from './retrieval-texts/word-soup.ts'

/**
 * Benchmark 7: a PDF of 200 pages and a DOCX of 100, from upload to `ready`, against the parser and the embedder alone,
 * one after the other in one process, without storing or indexing anything. Both use the same model on the same number
 * of threads. Each round has different words, so that no cache helps.
 */

const wordsOnPage = 400
/** For a quick run: a fraction of the pages, such as 0.1. */
const scale = Number(process.env.BENCH_SCALE ?? 1)
const pages = { pdf: Math.ceil(200 * scale), docx: Math.ceil(100 * scale) }
const passages = [...houseTexts, ...serviceTexts].flatMap((document) => document.passages.map(([text]) => text))

/** Pages of text that resembles English, different in each round. */
const pagesOf = (count: number, round: number) =>
  makeWordSoup(passages, { documents: count, words: wordsOnPage, seed: round })

const kinds = {
  pdf: {
    what: `a PDF of ${pages.pdf} pages`,
    make: (round: number) =>
      textPdf(pagesOf(pages.pdf, round).map((page) => typeset(page.replaceAll('\n', ' '), { size: 9 }))),
  },
  docx: {
    what: `a DOCX of ${pages.docx} pages`,
    make: (round: number) =>
      wordFile(
        pagesOf(pages.docx, round).flatMap((page, i) => [
          { heading: `Chapter ${i + 1}`, level: 1 },
          ...page.split('\n\n'),
        ]),
      ),
  },
} as const
type Kind = keyof typeof kinds

const database = await benchDatabase()
const folder = await mkdtemp(join(tmpdir(), 'frontdesk-bench-'))
const { secret } = await fill(database.connection, 0)
const service = await serveFrontdesk(database.connection, { DATA_DIR: folder, RATE_LIMIT_UPLOADS_PER_MINUTE: '10000' })
const embedder = createLocalEmbedder()
const headers = { authorization: `Bearer ${secret}` }

async function ingest(bytes: Buffer, fileName: string): Promise<number> {
  const form = new FormData()
  form.append('file', new Blob([Uint8Array.from(bytes)]), fileName)
  const began = performance.now()
  const answer = await fetch(`${service.url}/api/v1/knowledge-base/upload`, { method: 'POST', headers, body: form })
  const { id } = (await answer.json()) as { id: string }
  for (;;) {
    const read = await fetch(`${service.url}/api/v1/knowledge-base/${id}`, { headers })
    const { status, error } = (await read.json()) as { status: string; error: string }
    if (status === 'failed') throw new Error(error)
    if (status === 'ready') return performance.now() - began
    await sleep(100)
  }
}

async function alone(bytes: Buffer, type: Kind): Promise<number> {
  const file = join(folder, `floor.${type}`)
  await writeFile(file, bytes)
  const began = performance.now()
  const { chunks } = await parseDocument(file, { type })
  const children = chunks.flatMap((chunk) => chunk.children.map((child) => child.text))
  await embedder.embed(children)
  return performance.now() - began
}

// Both models are loaded before anything is measured.
await embedder.embed(['warm'])
await ingest(Buffer.from('The model of the service is loaded now.'), 'warm.txt')
const times = {
  pdf: { ours: [] as number[], floor: [] as number[] },
  docx: { ours: [] as number[], floor: [] as number[] },
}
for (let round = 0; round < rounds; round++)
  for (const kind of Object.keys(kinds) as Kind[]) {
    const bytes = kinds[kind].make(round)
    const measure = {
      ours: () => ingest(bytes, `round-${round}.${kind}`),
      floor: () => alone(bytes, kind),
    }
    // Alternates, so that no side always runs first.
    for (const which of round % 2 ? (['ours', 'floor'] as const) : (['floor', 'ours'] as const))
      times[kind][which].push(await measure[which]())
    const [ours, floor] = [times[kind].ours.at(-1) as number, times[kind].floor.at(-1) as number]
    console.log(`round ${round + 1}, ${kind}: ours ${format(ours / 1000)} s, floor ${format(floor / 1000)} s`)
  }
const perMinute = (all: number[]) => all.map((ms) => 60_000 / ms)
/** Twice what the first version did on two cores. */
const pagesGoal = 504
report(
  `7 · ingest: from upload to ready, against parser and embedder alone, median of ${rounds} rounds`,
  (Object.keys(kinds) as Kind[]).flatMap((kind) => {
    const pagesPerMinute = pages[kind] * median(perMinute(times[kind].ours))
    return [
      ratioLine(kinds[kind].what, perMinute(times[kind].ours), perMinute(times[kind].floor), '/min', 0.8),
      {
        what: `pages of ${kinds[kind].what}`,
        ours: `${format(pagesPerMinute)} /min`,
        floor: '',
        ratio: '',
        goal: `≥ ${pagesGoal} /min`,
        met: pagesPerMinute >= pagesGoal,
      },
    ]
  }),
)
await embedder.close()
await service.stop()
await database.close()
await rm(folder, { recursive: true, force: true })
