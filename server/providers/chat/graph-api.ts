import type { ChatCredentials, ChatPlatform } from './contract.ts'
import { createGraphClients, type GraphApiOptions } from './graph-api-client.ts'
import { mediaCalls } from './graph-api-media.ts'
import { messageCalls } from './graph-api-messages.ts'
import { numberCalls } from './graph-api-numbers.ts'
import { sampleCalls } from './graph-api-samples.ts'
import { templateCalls } from './graph-api-templates.ts'

export interface GraphApi {
  connect(credentials: ChatCredentials): ChatPlatform
  /** Aborts running requests; their callers get a `ChatError`. */
  close(): void
}

/** The chat platform over Meta's Graph API, or any compatible server at `baseUrl`. */
export function createGraphApi(options: GraphApiOptions): GraphApi {
  const closing = new AbortController()
  const clientFor = createGraphClients(options, closing.signal)
  return {
    connect({ accessToken, businessAccountId, phoneNumberId, appId }) {
      const client = clientFor(accessToken)
      return {
        ...numberCalls(client, { phoneNumberId, businessAccountId }),
        ...templateCalls(client, businessAccountId),
        ...messageCalls(client, phoneNumberId),
        ...mediaCalls(client, phoneNumberId),
        ...sampleCalls(client, { appId, accessToken }),
      }
    },
    close: () => closing.abort(new Error('the connection to the chat platform is closing')),
  }
}
