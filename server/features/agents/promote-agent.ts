import type { Database, TenantScope } from '../../platform/database.ts'
import { badRequest, found } from '../../platform/errors.ts'
import { Answer } from '../../platform/http/answer.ts'
import { findPromotedCollections, takePromotedCollections } from '../knowledge/collections/find-collections.ts'
import { findPromotedDocuments } from '../knowledge/find-documents.ts'
import { openHeaders } from './config/headers.ts'
import { findStoredAgent, lockPromoted } from './queries.ts'
import type { Agent, PromotedAgent } from './schema.ts'
import { addAgent, changeAgent, type Writing } from './write-agent.ts'

/**
 * Copies a test agent into the live mode of the same organization, including its secrets. Its documents become their
 * promoted copies, its collections those of the same name; the answer names the documents that have no copy. Promoting again updates the copy as a new version; whether
 * the copy is active is left as it is.
 */
export async function promoteAgent(
  deps: Writing & { database: Database },
  scope: TenantScope,
  sourceId: string,
): Promise<PromotedAgent | Answer<PromotedAgent>> {
  if (!scope.livemode) throw badRequest('Promoting needs a live credential')
  const test = { ...scope, livemode: false }
  const source = found(await findStoredAgent(deps.database.forTenant(test), sourceId), 'Agent')
  const { name, agent_type, is_active, timezone } = source
  const config = openHeaders(deps.secrets, test, source)
  const documents = await findPromotedDocuments(deps.database, scope, config.knowledge.document_ids)
  const { collections, missing } = await findPromotedCollections(deps.database, scope, config.knowledge.collection_ids)
  const missing_documents = [...new Map([...documents.missing, ...missing].map((each) => [each.id, each])).values()]
  const withMissing = (promoted: Agent): PromotedAgent => ({ ...promoted, missing_documents })
  return deps.database.inTenant(scope, async (tx) => {
    const collection_ids = await takePromotedCollections(tx, collections)
    const knowledge = { ...config.knowledge, document_ids: documents.ids, collection_ids }
    const agent = { name, agent_type, is_active, timezone, agent_config: { ...config, knowledge } }
    const copy = await lockPromoted(tx, sourceId)
    if (!copy) return withMissing(await addAgent(tx, agent, deps, sourceId))
    return new Answer(200, withMissing(await changeAgent(tx, copy, { ...agent, is_active: copy.is_active }, deps)))
  })
}
