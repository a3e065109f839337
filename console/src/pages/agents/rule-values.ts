import type { api as types } from '@frontdesk/sdk'
import { newKey } from './row-keys.ts'

/** The rules of a static agent in its form, and what it says where none of them applies. */

/** What happens after the rule has answered; empty: keep listening. */
export type Next = '' | 'end' | 'handoff' | 'transfer'

export interface RuleRow {
  key: string
  when: string[]
  say: string
  choices: string[]
  next: Next
}
export interface RuleValues {
  rules: RuleRow[]
  fallback_say: string
  fallback_choices: string[]
  fallback_next: Next
}

export const newRule = (): RuleRow => ({ key: newKey(), when: [], say: '', choices: [], next: '' })
export const newRuleValues = (): RuleValues => ({
  rules: [],
  fallback_say: '',
  fallback_choices: [],
  fallback_next: '',
})

export function ruleValuesOf({ rules, fallback: given }: types.AgentCallSettings): RuleValues {
  const fallback = typeof given === 'string' ? { say: given } : given
  return {
    rules: rules.map(({ when, say, choices = [], then }) => ({ key: newKey(), when, say, choices, next: then ?? '' })),
    fallback_say: fallback?.say ?? '',
    fallback_choices: fallback?.choices ?? [],
    fallback_next: fallback?.then ?? '',
  }
}

export const ruleInputOf = ({ rules, fallback_say, fallback_choices, fallback_next }: RuleValues) => ({
  rules: rules.map(({ when, say, choices, next }) => ({ when, ...saying(say, choices, next) })),
  fallback: fallback_say.trim() === '' ? null : saying(fallback_say, fallback_choices, fallback_next),
})

/** After choices the agent waits for an answer. */
const saying = (say: string, choices: string[], next: Next): types.AgentFallback => {
  // biome-ignore lint/suspicious/noThenProperty: the API calls this member `then`
  if (next) return { say, then: next }
  return choices.length > 0 ? { say, choices } : { say }
}
