import type { Llm, LlmEvent, LlmMessage, LlmTool, LlmToolResult } from './contract.ts'
import { mentions, saysWords } from './phrases.ts'
import { argumentsFrom } from './scripted-arguments.ts'

export interface Line {
  say: string
  /** The name of a tool to call after the text. */
  use?: string | undefined
  /** Its arguments, besides the reason and the text. */
  with?: Record<string, unknown> | undefined
}

interface Script {
  /** The first rule with a matching phrase wins. */
  rules: (Line & { when: string[] })[]
  /** Whether to call a tool whose name the contact mentions. */
  usesTools: boolean
  otherwise: Line
}

/** Stands in for a model where none may be called. */
export const scriptedModel = 'scripted'

/**
 * A deterministic stand-in for a model: it answers from the script, calls the tools that are mentioned by name, and
 * repeats their results. The same input always gets the same answer.
 */
export function createScriptedLlm(script: Script): Llm {
  return {
    async *stream({ messages, tools, signal }) {
      for (const event of answer(script, messages, tools)) {
        signal.throwIfAborted()
        yield event
      }
      yield { type: 'done', usage: { inputTokens: 0, outputTokens: 0, model: scriptedModel } }
    },
  }
}

function answer(script: Script, messages: LlmMessage[], tools: LlmTool[]): LlmEvent[] {
  const last = messages.at(-1)
  if (last?.role === 'tool') return last.results.flatMap(({ result, isError }) => said(retold(result, isError)))
  const heard = last?.role === 'user' ? last.text : ''
  const rule = script.rules.find(({ when }) => when.some((phrase) => mentions(heard, phrase)))
  if (rule) return spoken(rule, heard, tools)
  const tool = script.usesTools ? tools.find(({ name }) => saysWords(heard, name.split(/[_-]+/))) : undefined
  if (!tool) return spoken(script.otherwise, heard, tools)
  const { filled, missing } = argumentsFrom(heard, tool.parameters)
  if (missing.length > 0) return said(`For that I need to know: ${missing.join(', ')}.`)
  return [{ type: 'tool_call', id: 'call_1', name: tool.name, arguments: filled }]
}

function spoken({ say, use, with: given }: Line, heard: string, tools: LlmTool[]): LlmEvent[] {
  const tool = tools.find(({ name }) => name === use)
  const call = {
    type: 'tool_call' as const,
    id: 'call_1',
    name: use ?? '',
    arguments: { reason: heard, say, ...given },
  }
  return tool ? [...said(say), call] : said(say)
}

/** Streamed in chunks, as a model does. */
const said = (text: string): LlmEvent[] =>
  (text.match(/\S+(?:\s+\S+){0,3}\s*/g) ?? []).map((piece) => ({ type: 'text', text: piece }))

const longestRetold = 400

function retold(result: LlmToolResult['result'], isError: boolean): string {
  const plain = inWords(result)
  const text = plain.length > longestRetold ? `${plain.slice(0, longestRetold).toWellFormed()} …` : plain
  return isError ? `That did not work: ${text}` : `Here is what I found: ${text}`
}

/** `{"status":"shipped"}` as "status: shipped". */
function inWords(text: string): string {
  const tell = (value: unknown): string => {
    if (Array.isArray(value)) return value.map(tell).join('; ')
    if (value === null || typeof value !== 'object') return String(value)
    return Object.entries(value)
      .map(([name, member]) => `${name.replaceAll('_', ' ')}: ${tell(member)}`)
      .join(', ')
  }
  try {
    return tell(JSON.parse(text))
  } catch {
    return text
  }
}
