import type { AgentValues } from './agent-values.ts'
import { fallbackFieldOf } from './fallback-values.ts'

/** Checks that must pass before a request can be built: valid JSON, no duplicate headers. */
export function checkValues({ tools, mcp_servers, extract }: AgentValues): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [index, { parameters }] of tools.entries()) {
    const problem = problemWithJson(parameters)
    if (problem) found[`tools.${index}.parameters`] = problem
  }
  const problem = problemWithJson(extract)
  if (problem) found.extract = problem
  for (const [list, rows] of Object.entries({ tools, mcp_servers }))
    for (const [index, { headers }] of rows.entries()) {
      const names = headers.map(({ name }) => name.trim().toLowerCase()).filter(Boolean)
      const twice = names.find((name, at) => names.indexOf(name) !== at)
      if (twice) found[`${list}.${index}.headers.${twice}`] = 'This header is a duplicate'
    }
  return found
}

function problemWithJson(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? undefined
      : 'This must be a JSON object'
  } catch (error) {
    return `Invalid JSON: ${(error as Error).message}`
  }
}

/** Maps a location in an API error to a form field. */
export function fieldOf(loc: string[]): string | undefined {
  const [, first, second, ...rest] = loc
  if (first !== 'agent_config') return first
  switch (second) {
    case 'transcriber':
      return rest[0] === 'endpointing_ms' ? rest[0] : `transcriber_${rest[0]}`
    case 'voice_settings':
      if (rest[0] === 'mode' || rest[0] === 'model') return `speech_${rest[0]}`
      return rest[0]?.startsWith('provider') ? 'provider_voice_id' : 'voice_id'
    case 'call_settings':
      if (rest[0] === 'fallback') return rest[1] === 'choices' ? 'fallback_choices' : 'fallback_say'
      return rest.join('.')
    case 'knowledge':
      return rest[0] === 'collection_ids' ? 'collection_ids' : 'document_ids'
    case 'memory':
      return `memory_${rest[0]}`
    case 'fallbacks':
      return fallbackFieldOf(rest)
    case 'results':
      return rest[0] === 'extract' ? 'extract' : rest.join('.')
    case 'business_hours':
    case 'turn_taking':
      return rest[0]
    case 'phrases':
      return rest.length > 0 ? `phrases.${rest[0]}` : 'phrases'
    case 'tools':
    case 'mcp_servers': {
      const [index, member, ...inside] = rest
      // Headers are located by name; deeper locations map to their field.
      const place = member === 'headers' && inside[0] ? `headers.${inside[0].toLowerCase()}` : member
      return [second, index, place].filter(Boolean).join('.')
    }
    default:
      return second
  }
}
