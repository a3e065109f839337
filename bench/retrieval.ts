import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SearchResults } from '../server/features/knowledge/schema.ts'
import { fill } from './fill.ts'
import { benchDatabase, type Line, report, serveFrontdesk } from './harness.ts'
import { questionSets } from './retrieval-texts/question-sets.ts'
import type { Question, QuestionSet } from './retrieval-texts/written-document.ts'

/**
 * Retrieval quality through the API: how often the passage that answers a question is among the first five results, how
 * often it is the first, and the mean reciprocal rank. Sets of different kinds and languages, so that nothing is tuned to
 * one of them. Each is small: a difference of two points is noise. They show when a change does harm.
 */

const modes = ['keyword', 'vector', 'hybrid'] as const
type Mode = (typeof modes)[number]

const database = await benchDatabase()
const dataDir = await mkdtemp(join(tmpdir(), 'frontdesk-bench-'))
const service = await serveFrontdesk(database.connection, { DATA_DIR: dataDir, RATE_LIMIT_UPLOADS_PER_MINUTE: '10000' })

async function call(secret: string, method: string, path: string, body?: FormData | object) {
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

/** Creates an organization for each set; returns its key and its number of chunks. */
async function upload({ documents }: QuestionSet): Promise<{ secret: string; chunks: number }> {
  const { secret } = await fill(database.connection, 0)
  for (const [fileName, text] of documents) {
    const form = new FormData()
    form.append('file', new Blob([text]), fileName)
    await call(secret, 'POST', '/upload', form)
  }
  for (;;) {
    const { documents: known } = (await call(secret, 'GET', '')) as {
      documents: { status: string; chunk_count: number }[]
    }
    if (known.some(({ status }) => status === 'failed')) throw new Error('a document failed')
    if (known.every(({ status }) => status === 'ready'))
      return { secret, chunks: known.reduce((sum, { chunk_count }) => sum + chunk_count, 0) }
    await sleep(200)
  }
}

interface Found {
  first: number
  five: number
  reciprocal: number
}

async function ask(secret: string, { name, questions }: QuestionSet, mode: Mode): Promise<Found> {
  const found: Found = { first: 0, five: 0, reciprocal: 0 }
  for (const question of questions) {
    const { results } = (await call(secret, 'POST', '/search', {
      query: question.query,
      mode,
      top_k: 10,
    })) as SearchResults
    const place = results.findIndex((result) => answers(result, question))
    if (place === 0) found.first++
    if (place >= 0 && place < 5) found.five++
    else if (process.env.BENCH_MISSES) console.log(name, mode, 'missed:', question.query)
    if (place >= 0) found.reciprocal += 1 / (place + 1)
  }
  const share = (sum: number) => (100 * sum) / questions.length
  return { first: share(found.first), five: share(found.five), reciprocal: share(found.reciprocal) }
}

/** A result counts if it contains more than half of the answer. */
function answers(result: SearchResults['results'][number], { fileName, start, end }: Question): boolean {
  if (result.file_name !== fileName) return false
  if (start === undefined || end === undefined) return true
  return Math.min(result.end_offset, end) - Math.max(result.start_offset, start) > (end - start) / 2
}

const lines: Line[] = []
for (const set of questionSets()) {
  const { secret, chunks } = await upload(set)
  const found = new Map<Mode, Found>()
  for (const mode of modes) found.set(mode, await ask(secret, set, mode))
  const betterHalf = Math.max(...(['keyword', 'vector'] as const).map((mode) => found.get(mode)?.five ?? 0))
  for (const [mode, { five, first, reciprocal }] of found)
    lines.push({
      what: `${set.name} (${set.questions.length} questions, ${set.documents.size} documents, ${chunks} chunks): ${mode}`,
      ours: `${five.toFixed(1)} %, first ${first.toFixed(1)} %, MRR ${(reciprocal / 100).toFixed(3)}`,
      floor: '',
      ratio: '',
      goal: mode === 'hybrid' ? `≥ ${betterHalf.toFixed(1)} %, the better half` : 'none',
      met: mode !== 'hybrid' || five >= betterHalf,
    })
}
report('12 · retrieval: the answer among the first five, with the model that comes along', lines)
await service.stop()
await database.close()
await rm(dataDir, { recursive: true, force: true })
