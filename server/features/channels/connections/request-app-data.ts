import type { Database, TenantScope } from '../../../platform/database.ts'
import type { AppDataRequest, RequestedAppData } from '../schema.ts'
import type { ChatConnections } from './chat-connections.ts'
import { failWith } from './upstream.ts'

/** Asks the platform for the contacts or the chats of the WhatsApp Business app on the channel's number. */
export async function requestAppData(
  { database, chatConnections }: { database: Database; chatConnections: ChatConnections },
  scope: TenantScope,
  channelId: string,
  { data }: AppDataRequest,
): Promise<RequestedAppData> {
  const { platform } = await chatConnections.open(database.forTenant(scope), channelId)
  const { requestId } = await platform
    .requestAppData(data)
    .catch(failWith(`WhatsApp did not take the request for ${data}`))
  return { request_id: requestId }
}
