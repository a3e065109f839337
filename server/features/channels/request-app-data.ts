import type { Database, TenantScope } from '../../platform/database.ts'
import { AppError } from '../../platform/errors.ts'
import { ChatError, upstreamOf } from '../../providers/chat/contract.ts'
import type { ChatConnections } from './chat-connections.ts'
import type { AppDataRequest, RequestedAppData } from './schema.ts'

/** Asks the platform for the contacts or the chats of the WhatsApp Business app on the channel's number. */
export async function requestAppData(
  { database, chatConnections }: { database: Database; chatConnections: ChatConnections },
  scope: TenantScope,
  channelId: string,
  { data }: AppDataRequest,
): Promise<RequestedAppData> {
  const { platform } = await chatConnections.open(database.forTenant(scope), channelId)
  const { requestId } = await platform.requestAppData(data).catch((error) => {
    if (!(error instanceof ChatError)) throw error
    throw new AppError(
      502,
      `WhatsApp did not take the request for ${data}: ${error.message}`,
      { upstream: upstreamOf(error) },
      error,
    )
  })
  return { request_id: requestId }
}
