import type { TenantSql } from '../../../platform/database.ts'
import type { OpenAgent } from '../../agents/answering/turn.ts'
import { readsKnowledge } from '../../agents/passages/find-passages.ts'
import type { ContactBrief } from '../../contacts/schema.ts'
import { documentsOf } from '../../knowledge/collections/find-collections.ts'
import { documentTerms } from '../../knowledge/retrieval/document-terms.ts'
import { findOrganizationName } from '../../organizations/find-organization-name.ts'

/** Below the limits of all providers: 500 tokens or 1,200 characters. In bytes, because letters of many scripts are tokens. */
const mostBytes = 800
const longestTerm = 60

/** Names that the caller may say and a recognizer may not know: of the contact, the organization, the agent, its documents. */
export async function keyTermsOf(
  sql: TenantSql,
  agent: OpenAgent,
  contact: Pick<ContactBrief, 'name'> | undefined,
): Promise<string[]> {
  // The caller waits for them.
  const [organization, terms] = await Promise.all([findOrganizationName(sql), termsOfDocuments(sql, agent)])
  const targets = agent.config.call_settings.transfer_targets.map(({ name }) => name)
  const given = [contact?.name ?? '', organization, agent.name, ...targets, ...terms]
  const distinct = new Map<string, string>()
  for (const term of given.map(plain)) if (isTerm(term)) distinct.set(term.toLowerCase(), term)
  let bytes = 0
  return [...distinct.values()].filter((term) => {
    bytes += Buffer.byteLength(term)
    return bytes <= mostBytes
  })
}

async function termsOfDocuments(sql: TenantSql, agent: OpenAgent): Promise<string[]> {
  if (!readsKnowledge(agent)) return []
  const { all, document_ids: documentIds, collection_ids: collectionIds } = agent.config.knowledge
  return documentTerms(sql, all ? undefined : await documentsOf(sql, { documentIds, collectionIds }))
}

/** Commas separate terms in some requests. */
const plain = (text: string): string => text.replaceAll(/[\s,;"]+/g, ' ').trim()

/** A contact without a name has its number as one. */
const isTerm = (text: string): boolean => /\p{L}{2}/u.test(text) && text.length <= longestTerm
