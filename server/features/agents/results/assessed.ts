import type { LlmError } from '../../../providers/llm/contract.ts'
import type { Usage } from '../answering/turn.ts'
import type { Results } from './schema.ts'

/** Results before they are written to the contact. */
export interface Assessed {
  results: Omit<Results, 'contact_fields'>
  usage: Usage
  /** Why the model gave no results. */
  fault?: LlmError
}
