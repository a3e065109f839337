import type { LlmRequest } from '../../../providers/llm/contract.ts'
import type { TurnInput } from './turn.ts'

/** Which models a request of the agent goes to, and for whom. */
export const askedModel = ({
  scope,
  agent: { config },
}: Pick<TurnInput, 'scope' | 'agent'>): Pick<LlmRequest, 'provider' | 'model' | 'fallbacks' | 'organizationId'> => ({
  provider: config.llm_provider,
  model: config.llm_model,
  fallbacks: config.fallbacks.models,
  organizationId: scope.organizationId,
})
