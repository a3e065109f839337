import type { TenantSql } from '../../../platform/database.ts'
import type { ChatConnections } from '../../channels/connections/chat-connections.ts'
import { failWith } from '../../channels/connections/upstream.ts'
import { openAnyConnection } from '../syncing/open-account-connection.ts'
import type { LibraryFilter } from './library-schema.ts'

/** The platform's library; it cannot filter by category, so this does. */
export async function listLibrary(sql: TenantSql, chatConnections: ChatConnections, filter: LibraryFilter) {
  const { search, category, language, channel_id } = filter
  const { platform } =
    channel_id === undefined
      ? await openAnyConnection(sql, chatConnections)
      : await chatConnections.open(sql, channel_id)
  const found = await platform
    .listLibrary({ ...(search && { search }), ...(language && { language }) })
    .catch(failWith('The platform’s library could not be read'))
  const items = found.filter((item) => category === undefined || item.category === category)
  return {
    items: items.map(({ bodyParams, bodyParamTypes, ...item }) => ({
      ...item,
      body_params: bodyParams,
      body_param_types: bodyParamTypes,
    })),
  }
}
