import type { api as types } from '@frontdesk/sdk'
import { type AgentValues, inputOf } from './agent-values.ts'

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Only the changed members, so that changes made elsewhere are kept. */
function differing<T extends object>(before: T, after: T): Partial<T> {
  const names = Object.keys(after) as (keyof T)[]
  return Object.fromEntries(
    names.filter((name) => !same(before[name], after[name])).map((name) => [name, after[name]]),
  ) as Partial<T>
}

export function changesBetween(before: AgentValues, after: AgentValues): types.AgentChanges {
  const [was, is] = [inputOf(before), inputOf(after)]
  const { agent_config, ...rest } = differing(was, is)
  if (!agent_config) return rest
  const config = differing(was.agent_config, is.agent_config)
  const within = <Name extends 'transcriber' | 'call_settings' | 'phrases' | 'turn_taking' | 'memory' | 'results'>(
    name: Name,
  ) => {
    const changed = config[name]
    return changed && { [name]: differing<object>(was.agent_config[name], changed) }
  }
  return {
    ...rest,
    agent_config: {
      ...config,
      ...within('transcriber'),
      ...within('call_settings'),
      ...within('phrases'),
      ...within('turn_taking'),
      ...within('memory'),
      ...within('results'),
    },
  }
}
