import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import { personalData } from '../app.ts'
import { createChatConnections } from '../features/channels/connections/create-chat-connections.ts'
import type { InboundMessage } from '../features/inbox/receiving/inbound-message.ts'
import { receiveMessages } from '../features/inbox/receiving/receive-messages.ts'
import type { Sending } from '../features/inbox/sending/send-message.ts'
import type { TenantScope } from '../platform/database.ts'
import { createOutboundHttp } from '../platform/outbound-fetch.ts'
import { createPhoneNumbers } from '../platform/phone-numbers.ts'
import { createSecretBox } from '../platform/secrets.ts'
import { createGraphApi } from '../providers/chat/graph-api.ts'
import { createDiskFiles } from '../providers/files/disk.ts'
import { secretKey } from '../services/secret-key.ts'
import { startTestApp, type TestApp, type TestAppOptions, type TestOrganization } from './app.ts'
import { type ChatPlatformServer, startChatPlatform } from './chat-platform.ts'

/** A live-mode organization whose channel is connected to the test's own chat platform. */
export interface ChatOrganization extends TestOrganization {
  channelId: string
  channelNumber: string
  scope: TenantScope
  /** Receives a message from a customer; creates the contact and ticket if needed. */
  receives(customer: Partial<InboundMessage> & { from: string }): Promise<ReceivedMessage>
}

interface ReceivedMessage {
  ticketId: string
  contactId: string
  messageId: string
  chatMessageId: string
}

export async function startChatApp(options: TestAppOptions = {}) {
  const platform = await startChatPlatform()
  const settings = { GRAPH_API_BASE_URL: platform.url, PUBLIC_URL: 'https://desk.example.com', ...options.settings }
  const app = await startTestApp({ ...options, settings })
  return { app, platform, newOrganization: (owner?: string) => newChatOrganization(app, platform, owner) }
}

let organizations = 0
const mediaAddress = 'https://desk.example.com/api/v1/inbox/media/'

async function newChatOrganization(
  app: TestApp,
  { token }: ChatPlatformServer,
  owner?: string,
): Promise<ChatOrganization> {
  const org = await app.organization({ mode: 'live', ...(owner && { owner }) })
  const scope = { organizationId: org.id, livemode: true }
  const channelNumber = `+1415555${String(1000 + ++organizations)}`
  const channelId = await newChannel(org, channelNumber, token)
  return {
    ...org,
    channelId,
    channelNumber,
    scope,
    async receives({ from, ...message }) {
      const chatMessageId = `wamid.in.${randomBytes(8).toString('hex')}`
      const inbound = {
        channelId,
        chatMessageId,
        sender: { phoneNumber: from, userId: null, name: 'Ada' },
        at: new Date().toISOString(),
        type: 'text' as const,
        body: 'Hi',
        contextMessageId: null,
        payload: null,
        media: null,
        ...message,
      }
      await app.database.inTenant(scope, (tx) =>
        receiveMessages(tx, [inbound as InboundMessage], {
          mediaAddress,
          secrets: createSecretBox(secretKey(app.settings)),
          personalData,
        }),
      )
      const { inboxes } = (await org.call('GET', `inbox/tickets?search=${encodeURIComponent(from)}`)).body
      const [ticket] = inboxes
      const { messages } = (await org.call('GET', `inbox/messages/${ticket.id}?order=desc&limit=100`)).body
      const found = messages.find((each: { chat_message_id: string }) => each.chat_message_id === inbound.chatMessageId)
      return {
        ticketId: ticket.id,
        contactId: ticket.contact_id,
        messageId: found.id,
        chatMessageId: inbound.chatMessageId,
      }
    },
  }
}

/** Creates a live channel with its own number at the platform. */
export async function newChannel({ call }: TestOrganization, phoneNumber: string, token: string): Promise<string> {
  const answer = await call('POST', 'channels', {
    phone_number: phoneNumber,
    chat: {
      phone_number_id: phoneNumber.slice(1),
      business_account_id: '700100200300400',
      access_token: token,
      app_secret: '0123456789abcdef',
      verify_token: 'a word',
    },
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}

/** A phone number that was not used before. */
let customers = 0
export const newCustomer = () => `+1202555${String(1000 + ++customers)}`

/** Asserts that the platform took a message. Receipts may arrive before the response is read from the database. */
export function assertAccepted({ status }: { status: string }): void {
  assert.ok(['sent', 'delivered', 'read'].includes(status), status)
}

/** Names of the organization's files in the file store. */
export async function filesOf({ settings }: TestApp, { id }: ChatOrganization): Promise<string[]> {
  const folder = join(settings.DATA_DIR, 'files', 'kept', id)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

/** Dependencies of the inbox verbs, created as in app.ts, for verbs that no request calls. */
export function sendingOf(app: TestApp): Sending {
  const http = createOutboundHttp()
  after(() => http.close())
  const connectorTo = (baseUrl: string) =>
    createGraphApi({ baseUrl, version: app.settings.GRAPH_API_VERSION, http, log: app.server.log as never })
  return {
    database: app.database,
    files: createDiskFiles(join(app.settings.DATA_DIR, 'files')),
    phones: createPhoneNumbers(undefined),
    mediaAddress,
    chatConnections: createChatConnections({
      database: app.database,
      secrets: createSecretBox(secretKey(app.settings)),
      live: connectorTo(app.settings.GRAPH_API_BASE_URL),
      connectorTo,
      simulator: app.simulator,
    }),
  }
}
