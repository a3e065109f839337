import type { TenantScope } from '../../../platform/database.ts'
import { withoutInvisible } from '../../../platform/invisible.ts'
import type { SearchResult } from '../schema.ts'
import { isRelevant } from './relevance-floor.ts'
import { type Retrieval, searchWithEvidence } from './search-knowledge.ts'

interface RetrieveOptions {
  /** Tokens of a prompt that passages may take. */
  maxTokens?: number
  /** For each question. */
  maxPassages?: number
  documentIds?: string[]
  /** A caller is waiting: after this long, what was found so far is used. */
  timeoutMs?: number
}

export interface Source {
  /** The number by which the prompt refers to it. */
  number: number
  chunk_id: string
  document_id: string
  file_name: string
  page: number | null
  heading: string
  text: string
  score: number
}

export interface Passages {
  sources: Source[]
  /** The passages, numbered, each with its source; empty when nothing was found. */
  prompt: string
  /** Whether there were documents to search. */
  searched: boolean
  /** From 0 to 1: how much of a question, by the weight of its words, the best passages cover. */
  coverage: number
}

/** A rule of thumb that errs on the safe side for most languages. */
const charactersPerToken = 3.5

/**
 * Passages of the organization's documents that answer a question, ready for an agent's prompt. Several questions are
 * searched at once, each with the whole time limit; a passage counts with its best score.
 */
export async function retrievePassages(
  deps: Retrieval,
  scope: TenantScope,
  questions: string[],
  { maxTokens = 2000, maxPassages = 5, documentIds, timeoutMs = 2000 }: RetrieveOptions = {},
): Promise<Passages> {
  const queries = new Set(questions.map((question) => question.trim()).filter(Boolean))
  const search = {
    top_k: maxPassages,
    mode: 'hybrid' as const,
    timeout_ms: timeoutMs,
    document_ids: documentIds ?? null,
  }
  const all = await Promise.all([...queries].map((query) => searchWithEvidence(deps, scope, { query, ...search })))
  const best = new Map<string, SearchResult>()
  for (const { found, evidence } of all)
    for (const result of isRelevant(evidence) ? found.results : [])
      if (result.score > (best.get(result.chunk_id)?.score ?? Number.NEGATIVE_INFINITY))
        best.set(result.chunk_id, result)
  // A single search keeps its order: passages with its phrases come first.
  const results = queries.size > 1 ? [...best.values()].sort((a, b) => b.score - a.score) : [...best.values()]
  return {
    ...writePassages(results, { maxTokens }),
    searched: all.some(({ evidence }) => evidence.searched),
    coverage: Math.max(0, ...all.map(({ evidence }) => evidence.coverage)),
  }
}

type Numbered = Omit<Source, 'number'>

/** As many of the passages as fit, numbered, each with its source. */
export function writePassages(
  results: Numbered[],
  { maxTokens, firstNumber = 1 }: { maxTokens: number; firstNumber?: number },
): Pick<Passages, 'sources' | 'prompt'> {
  let left = Math.floor(maxTokens * charactersPerToken)
  const sources: Source[] = []
  const parts: string[] = []
  for (const { chunk_id, document_id, file_name, page, heading, score, text: whole } of results) {
    const number = firstNumber + sources.length
    const head = `[${number}] ${asText(whereFrom({ file_name, page, heading })).replace(/\s+/g, ' ')}\n`
    const text = cut(whole.trim(), left - head.length)
    if (text === '') break
    sources.push({ number, chunk_id, document_id, file_name, page, heading, text, score })
    parts.push(head + asText(text))
    left -= head.length + text.length + separator.length
  }
  return { sources, prompt: parts.join(separator) }
}

const separator = '\n\n'

/**
 * A number in brackets names a source, so a document has none: neither the head of a source nor a citation. Digits of
 * other scripts and entities of HTML count too. What ends a line in any other way than a line feed becomes one.
 */
const asText = (text: string): string =>
  withoutInvisible(text)
    .replace(/[\u2028\u2029\u0085\v\f]/g, '\n')
    .replace(bracketed, (whole, numbers: string) => (/\S/.test(numbers) ? `(${numbers.trim()})` : whole))

const bracketed =
  /(?:[[［【〔〖〘〚⟦⟬⦋⦍⦏⦗⁅❲⸢⸤⹕⹗｢「『⌈⌊﹇︹︻︗﹝]|&(?:#0*91|#x0*5b|lsqb|lbrack);?)([\p{Nd}\p{No}\s,;]+)(?:[\]］】〕〗〙〛⟧⟭⦌⦎⦐⦘⁆❳⸣⸥⹖⹘｣」』⌉⌋﹈︺︼︘﹞]|&(?:#0*93|#x0*5d|rsqb|rbrack);?)/giu

const whereFrom = ({ file_name, page, heading }: Pick<Source, 'file_name' | 'page' | 'heading'>): string =>
  [file_name, page === null ? '' : `page ${page}`, heading].filter(Boolean).join(', ')

/** Less than this is not worth its place in the prompt. */
const leastCharacters = 80

/** At the end of a sentence if there is one, otherwise of a word. */
function cut(text: string, room: number): string {
  if (text.length <= room) return text
  if (room < leastCharacters) return ''
  const part = text.slice(0, room - 2)
  const sentence = Math.max(...['. ', '! ', '? ', '.\n'].map((end) => part.lastIndexOf(end)))
  const end = sentence > room / 2 ? sentence + 1 : part.lastIndexOf(' ')
  return `${part.slice(0, end > 0 ? end : part.length).toWellFormed()} …`
}
