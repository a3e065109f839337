import { toCsvLine } from '../../../platform/csv.ts'
import type { TenantSql } from '../../../platform/database.ts'
import { lowestId } from '../../../platform/ids.ts'
import { readFaqsAfter } from './queries.ts'

const atOnce = 500

/** As an import reads it, oldest first. The byte order mark tells Excel that it is UTF-8. */
export async function* exportFaqs(sql: TenantSql): AsyncGenerator<string> {
  yield `\ufeff${toCsvLine(['question', 'answer', 'variants'])}`
  let after = lowestId
  for (;;) {
    const faqs = await readFaqsAfter(sql, after, atOnce)
    for (const { question, answer, variants } of faqs) yield toCsvLine([question, answer, variants.join(' | ')])
    const last = faqs.at(-1)
    if (!last) return
    after = last.id
  }
}
