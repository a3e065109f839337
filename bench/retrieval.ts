import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SearchResults } from '../server/features/knowledge/schema.ts'
import { fill } from './fill.ts'
import { benchDatabase, type Line, report, serveFrontdesk } from './harness.ts'
import { branchPassages, houses } from './retrieval-texts/branch-texts.ts'
import { houseTexts } from './retrieval-texts/house-texts.ts'
import { serviceTexts } from './retrieval-texts/service-texts.ts'
import { createRandom } from './retrieval-texts/word-soup.ts'

/**
 * What a search finds, through the API: how often the passage that answers a question is among the first five results.
 * 152 questions, most of them in other words than the answer, over 25 documents written for this purpose; about as much
 * text again distracts. That is small: a difference of two points is noise. It is there to show when a change does harm.
 */

interface Question {
  query: string
  fileName: string
  /** Where in the document the answer stands, in characters. */
  start: number
  end: number
}

const modes = ['keyword', 'vector', 'hybrid'] as const

const { documents, questions } = write()
const database = await benchDatabase()
const dataDir = await mkdtemp(join(tmpdir(), 'frontdesk-bench-'))
const { secret } = await fill(database.connection, 0)
const service = await serveFrontdesk(database.connection, { DATA_DIR: dataDir, RATE_LIMIT_UPLOADS_PER_MINUTE: '10000' })
const call = async (method: string, path: string, body?: FormData | object) => {
  const answer = await fetch(`${service.url}/api/v1/knowledge-base${path}`, {
    method,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(body && !(body instanceof FormData) && { 'content-type': 'application/json' }),
    },
    body: body instanceof FormData ? body : JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return answer.json()
}

for (const [fileName, text] of documents) {
  const form = new FormData()
  form.append('file', new Blob([text]), fileName)
  await call('POST', '/upload', form)
}
let chunks = 0
for (;;) {
  const { documents: known } = (await call('GET', '')) as { documents: { status: string; chunk_count: number }[] }
  if (known.some(({ status }) => status === 'failed')) throw new Error('a document failed')
  chunks = known.reduce((sum, { chunk_count }) => sum + chunk_count, 0)
  if (known.every(({ status }) => status === 'ready')) break
  await sleep(200)
}

const found = new Map<string, { first: number; five: number }>()
for (const mode of modes) {
  const hits = { first: 0, five: 0 }
  for (const question of questions) {
    const { results } = (await call('POST', '/search', { query: question.query, mode })) as SearchResults
    const place = results.findIndex((result) => answers(result, question))
    if (place === 0) hits.first++
    if (place >= 0) hits.five++
    else if (process.env.BENCH_MISSES) console.log(mode, 'missed:', question.query)
  }
  found.set(mode, hits)
}
const share = (mode: string, what: 'first' | 'five') => (100 * (found.get(mode)?.[what] ?? 0)) / questions.length
const best = Math.max(share('keyword', 'five'), share('vector', 'five'))
const line = (mode: string, goal: string, met: boolean): Line => ({
  what: `${mode}: recall@5, and the answer first`,
  ours: `${share(mode, 'five').toFixed(1)} %, ${share(mode, 'first').toFixed(1)} %`,
  floor: '',
  ratio: '',
  goal,
  met,
})
report(
  `12 · retrieval: ${questions.length} questions over ${documents.size} documents, ${chunks} chunks, with the model that comes along`,
  [
    line('keyword', 'none', true),
    line('vector', 'none', true),
    line('hybrid', `≥ ${best.toFixed(1)} %, the better half`, share('hybrid', 'five') >= best),
  ],
)
await service.stop()
await database.close()
await rm(dataDir, { recursive: true, force: true })

/** More than half of the answer has to be in the result. */
function answers(result: SearchResults['results'][number], { fileName, start, end }: Question): boolean {
  const common = Math.min(result.end_offset, end) - Math.max(result.start_offset, start)
  return result.file_name === fileName && common > (end - start) / 2
}

function write(): { documents: Map<string, string>; questions: Question[] } {
  const documents = new Map<string, string>()
  const questions: Question[] = []
  const add = (fileName: string, head: string, passages: [text: string, query: string | undefined][]) => {
    let text = head
    for (const [passage, query] of passages) {
      text += '\n\n'
      if (query) questions.push({ query, fileName, start: text.length, end: text.length + passage.length })
      text += passage
    }
    documents.set(fileName, text)
  }
  const written = [...houseTexts, ...serviceTexts]
  for (const { fileName, passages } of written) add(fileName, '', passages)
  const random = createRandom(3)
  for (const [i, house] of houses.entries()) {
    const figure = (n: string) => String((Number(n) + 1) * 3 + Math.floor(random() * 9))
    // Every other question is asked about each house.
    const passages = branchPassages.map(([text, question], j): [string, string | undefined] => [
      text.replace(/\{(\d)\}/g, (_, n) => figure(n)),
      (i + j) % 2 === 0 ? question.replace('{house}', house) : undefined,
    ])
    add(`${house.toLowerCase().replace(' ', '-')}.txt`, `House rules of the ${house}`, passages)
  }
  // Nobody asks about these: the documentation of this service, English of another kind.
  const root = join(import.meta.dirname, '..')
  for (const path of globSync(['*.md', 'docs/**/*.md', 'bench/*.md'], { cwd: root }).sort())
    documents.set(`${path.replaceAll('/', '-')}.txt`, readFileSync(join(root, path), 'utf8'))
  return { documents, questions }
}
