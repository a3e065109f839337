import { Readable } from 'node:stream'
import { unguardCell } from '../../../platform/csv.ts'
import type { CsvRecord } from '../../../platform/csv-parser.ts'
import type { TenantTx } from '../../../platform/database.ts'
import { badRequest, conflict, type Fault, InvalidInput, invalid, violates } from '../../../platform/errors.ts'
import { readRecords, UnreadableFile } from '../../../platform/read-records.ts'
import { encodingOf } from '../../../platform/text-encoding/encoding-detector.ts'
import { addFaq } from './create-faq.ts'
import { countFaqs, listAsked } from './queries.ts'
import { type FaqImport, maxAnswer, maxQuestion, maxVariants, type NewFaq } from './schema.ts'
import { tidyFaq } from './tidy-faq.ts'
import { updateFaq } from './update-faq.ts'

/** A request that takes a few seconds; larger files are split by the caller. */
const maxImportRows = 1_000
export const maxImportBytes = 5 << 20

/** Enough to correct a file; a broken column has the same fault in every row. */
const maxFaults = 50

/** The entries of a CSV file. Throws all faults at once, each with its row and column: nothing is imported then. */
export async function readFaqs(bytes: Buffer): Promise<NewFaq[]> {
  const rows: CsvRecord[] = []
  try {
    const encoding = encodingOf(bytes) ?? 'windows-1252'
    for await (const { records } of readRecords(Readable.from([bytes]), encoding)) rows.push(...records)
  } catch (error) {
    if (error instanceof UnreadableFile) throw badRequest(error.message)
    throw error
  }
  const [header, ...records] = rows
  const names = (header?.cells ?? []).map((cell) => cell.trim().toLowerCase())
  const columns = {
    question: names.indexOf('question'),
    answer: names.indexOf('answer'),
    variants: names.indexOf('variants'),
  }
  for (const name of ['question', 'answer'] as const)
    if (columns[name] < 0) throw invalid(['body', 'file', 'row 1'], `The column ${name} is missing`, 'missing')
  if (records.length > maxImportRows)
    throw invalid(
      ['body', 'file'],
      `The file has ${records.length} rows; import at most ${maxImportRows} at a time`,
      'too_long',
    )
  const faults: Fault[] = []
  const seen = new Map<string, number>()
  const faqs = records.map((record) => {
    const cell = (at: number) => unguardCell((at < 0 ? '' : (record.cells[at] ?? '')).trim())
    const variants = cell(columns.variants)
      .split('|')
      .map((each) => each.trim())
      .filter(Boolean)
    const faq = tidyFaq({ question: cell(columns.question), answer: cell(columns.answer), variants })
    const first = seen.get(faq.question.toLowerCase())
    for (const [column, msg] of faultsOf(record, faq, first))
      faults.push({ loc: ['body', 'file', `row ${record.row}`, column], msg, type: 'value_error' })
    if (first === undefined) seen.set(faq.question.toLowerCase(), record.row)
    return faq
  })
  if (faults.length > 0) throw new InvalidInput(faults.slice(0, maxFaults))
  return faqs
}

function* faultsOf(
  { problem }: CsvRecord,
  faq: Required<NewFaq>,
  first: number | undefined,
): Generator<[string, string]> {
  const { question, answer, variants } = faq
  if (problem) return yield ['question', problem]
  if (question === '') yield ['question', 'The question is empty']
  else if (first !== undefined) yield ['question', `The question is the same as in row ${first}`]
  if (question.length > maxQuestion) yield ['question', `The question is longer than ${maxQuestion} characters`]
  if (answer === '') yield ['answer', 'The answer is empty']
  if (answer.length > maxAnswer) yield ['answer', `The answer is longer than ${maxAnswer} characters`]
  if (variants.length > maxVariants) yield ['variants', `There are more than ${maxVariants} variants`]
  if (variants.some((each) => each.length > maxQuestion))
    yield ['variants', `A variant is longer than ${maxQuestion} characters`]
}

/** Adds entries with new questions, and changes the answers and variants of those that exist. */
export async function importFaqs(tx: TenantTx, faqs: NewFaq[]): Promise<FaqImport> {
  const [before, known] = await Promise.all([
    countFaqs(tx),
    listAsked(
      tx,
      faqs.map(({ question }) => question),
    ),
  ])
  const previous = new Map(known.map((faq) => [faq.row, faq]))
  const added = faqs.filter((_, row) => !previous.has(row))
  await addFaqs(tx, added, before)
  const changed = [...previous].flatMap(([row, { id, answer, variants }]) => {
    const faq = faqs[row] as NewFaq
    const isSame = faq.answer === answer && (faq.variants ?? []).join('\n') === variants.join('\n')
    return isSame ? [] : [{ id, answer: faq.answer, variants: faq.variants ?? [] }]
  })
  // At once: statements of one turn of the event loop share a round trip.
  await Promise.all(changed.map(({ id, ...changes }) => updateFaq(tx, id, changes)))
  return { created: added.length, updated: changed.length, unchanged: known.length - changed.length }
}

async function addFaqs(tx: TenantTx, faqs: NewFaq[], existing: number): Promise<void> {
  try {
    await Promise.all(faqs.map((faq, i) => addFaq(tx, faq, existing + i)))
  } catch (error) {
    // Statements of one round trip fail together, so the error does not say which question it is.
    if (violates(error, 'faqs_question_is_unique'))
      throw conflict('Another request added one of these questions meanwhile: import the file again')
    throw error
  }
}
