import { lowerCaseWords } from '../../../platform/lower-case-words.ts'
import { scriptedModel } from '../../../providers/llm/scripted.ts'
import type { Turn } from '../answering/turn.ts'
import { faultInArguments } from '../tools/check-arguments.ts'
import type { Assessed } from './assessed.ts'
import type { ResultSettings } from './schema.ts'

/**
 * Results without a model, the same for the same conversation. Properties are taken from the other side's words, and
 * a criterion is met, or a disposition chosen, if all words of its name were said.
 */
export function scriptedResults(wanted: ResultSettings, turns: Turn[]): Assessed {
  const heard = turns.filter(({ speaker }) => speaker === 'caller').map(({ text }) => text)
  const spoken = new Set(turns.flatMap(({ text }) => lowerCaseWords(text)))
  const extracted = wanted.extract && extractedFrom(wanted.extract, heard)
  const fault = extracted && faultInArguments(wanted.extract ?? {}, extracted)
  return {
    results: {
      extracted: fault ? null : extracted,
      success_criteria: wanted.success_criteria.map(({ name }) => {
        const missing = lowerCaseWords(name).find((word) => !spoken.has(word))
        const reason = missing ? `Scripted: “${missing}” was not said.` : 'Scripted: all words of the name were said.'
        return { name, result: missing ? 'not_met' : 'met', reason }
      }),
      disposition:
        wanted.dispositions.find(({ name }) => lowerCaseWords(name).every((word) => spoken.has(word)))?.name ?? null,
      model: scriptedModel,
      error: fault ?? null,
    },
    usage: { input_tokens: 0, output_tokens: 0, model: scriptedModel },
  }
}

function extractedFrom(schema: Record<string, unknown>, heard: string[]): Record<string, unknown> {
  const found = Object.entries(schema.properties as Record<string, unknown>).map(
    ([name, property]) => [name, valueIn(name, property as PropertySchema, heard)] as const,
  )
  return Object.fromEntries(found.filter(([, value]) => value !== undefined))
}

interface PropertySchema {
  type?: unknown
  enum?: unknown
}

/** An enum's value that was said, a number, or what follows the name of the property ("my name is Ines"). */
function valueIn(name: string, property: PropertySchema, heard: string[]): unknown {
  const text = heard.join('\n')
  if (Array.isArray(property?.enum)) {
    const spoken = ` ${lowerCaseWords(text).join(' ')} `
    return property.enum.find(
      (value) => typeof value === 'string' && spoken.includes(` ${lowerCaseWords(value).join(' ')} `),
    )
  }
  if (property?.type === 'integer' || property?.type === 'number') {
    const [number] = text.match(property.type === 'integer' ? /\d+/ : /\d+(?:\.\d+)?/) ?? []
    return number === undefined ? undefined : Number(number)
  }
  if (property?.type !== 'string') return undefined
  const label = lowerCaseWords(name).join('[\\s_-]+')
  const match = new RegExp(`(?<![\\p{L}\\p{N}])${label}(?:\\s+is|:)?\\s+([^.,!?\\n]+)`, 'iu').exec(text)
  return match?.[1]?.trim()
}
