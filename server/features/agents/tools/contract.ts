import type { LlmTool } from '../../../providers/llm/contract.ts'

/** Something that the agent can look up or do, wherever it runs. */
export interface RunnableTool extends LlmTool {
  sayWhileRunning: string | null
  /** Throws only the signal's reason: an error is a result, so that the model can report it. */
  run(given: Record<string, unknown>, signal: AbortSignal): Promise<ToolOutcome>
}

export interface ToolOutcome {
  result: string
  isError: boolean
}

/** More than this helps no model. */
const longestResult = 15_000

export const failed = (result: string): ToolOutcome => ({ result, isError: true })

/** Shortened for a model, and without the secrets that were sent: servers often echo requests. */
export function presentable({ result, isError }: ToolOutcome, headers: Record<string, string>): ToolOutcome {
  let text = result
  for (const secret of secretsIn(headers)) text = text.replaceAll(secret, '[secret]')
  if (text.length > longestResult) text = `${text.slice(0, longestResult).toWellFormed()} … [cut here]`
  return { result: text, isError }
}

/** `Bearer abc…` hides `abc…` too; a value as short as `1` is no secret. */
function secretsIn(headers: Record<string, string>): string[] {
  const values = Object.values(headers).flatMap((value) => [value, ...value.split(/\s+/)])
  return [...new Set(values)].filter((value) => value.length >= 6).sort((a, b) => b.length - a.length)
}
