import { found } from '../../platform/errors.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { Deleted, deleted } from '../../platform/schemas.ts'
import { requestAppData } from './connections/request-app-data.ts'
import { type Connecting, createChannel } from './create-channel.ts'
import { deleteChannel } from './delete-channel.ts'
import { type CheckingHealth, checkHealth } from './health/check-health.ts'
import { showChannel } from './hooks/chat-hook.ts'
import { type ChannelRow, findChannel, listChannels } from './queries.ts'
import {
  AppDataRequest,
  Channel,
  ChannelChanges,
  ChannelFilter,
  ChannelPage,
  ChannelPath,
  NewChannel,
  RequestedAppData,
} from './schema.ts'
import { updateChannel } from './update-channel.ts'

const tag = 'Channels'

export function channelRoutes(routes: Routes, deps: Connecting & CheckingHealth): void {
  const show = (row: ChannelRow) => showChannel(row, deps.secrets, deps.hooks)

  routes.read({
    id: 'listChannels',
    method: 'GET',
    url: '/channels',
    tag,
    summary: 'List channels',
    scope: 'campaigns:manage',
    narrowerScope: 'campaigns:read',
    query: ChannelFilter,
    response: ChannelPage,
    handler: async (sql, { query }) => {
      const page = await listChannels(sql, query)
      return { ...page, data: page.data.map(show) }
    },
  })

  routes.callOut({
    id: 'createChannel',
    method: 'POST',
    url: '/channels',
    tag,
    summary: 'Create a channel',
    description:
      'A phone number is enough: in test mode the simulator serves it, in live mode you can add `chat` and `voice` later. Tokens and secrets are write-only: they are stored encrypted, and responses only say whether they are set. A phone number and each platform’s `phone_number_id` belong to one channel; a second channel is refused with the id of the first. In live mode a chat `phone_number_id` belongs to one organization: it is read from the platform with your `access_token`. If the platform refuses, the response is 502 and nothing is stored; while the platform cannot be reached, the channel is `pending_verification`.',
    scope: 'full_access',
    body: NewChannel,
    response: Channel,
    status: 201,
    errors: [404, 502],
    handler: ({ body, principal }) => createChannel(deps, principal.scope, body),
  })

  routes.read({
    id: 'getChannel',
    method: 'GET',
    url: '/channels/{channel_id}',
    tag,
    summary: 'Get a channel',
    scope: 'campaigns:manage',
    narrowerScope: 'campaigns:read',
    params: ChannelPath,
    response: Channel,
    handler: async (sql, { params }) => {
      const channel = found(await findChannel(sql, params.channel_id), 'Channel')
      return show(channel)
    },
  })

  routes.callOut({
    id: 'updateChannel',
    method: 'PATCH',
    url: '/channels/{channel_id}',
    tag,
    summary: 'Update a channel',
    description:
      'Changes only the fields that you send, even within `chat` and `voice`: you can replace an `access_token` alone. `null` removes a side with its secrets. In live mode a new number, business account or token is checked as on create; a new token alone leaves an active channel active while the platform cannot be reached.',
    scope: 'full_access',
    params: ChannelPath,
    body: ChannelChanges,
    response: Channel,
    errors: [409, 502],
    handler: ({ params, body, principal }) => updateChannel(deps, principal.scope, params.channel_id, body),
  })

  routes.callOut({
    id: 'checkChannelHealth',
    method: 'POST',
    url: '/channels/{channel_id}/health',
    tag,
    summary: 'Check a channel’s health',
    description:
      'Reads quality rating, messaging limit, throughput and name review of the number from the platform now. The service does so every hour, and when the platform reports a change.',
    scope: 'campaigns:manage',
    params: ChannelPath,
    response: Channel,
    errors: [409, 502],
    handler: ({ params, principal }) => checkHealth(deps, principal.scope, params.channel_id),
  })

  routes.callOut({
    id: 'requestAppData',
    method: 'POST',
    url: '/channels/{channel_id}/app-data',
    tag,
    summary: 'Request data of the WhatsApp Business app',
    description:
      'Asks WhatsApp for the contacts or the chats of the WhatsApp Business app on this number. They arrive as webhooks, so set up the webhook first. WhatsApp takes one request for each, within 24 hours after the number was connected; later ones are refused with 502.',
    scope: 'full_access',
    params: ChannelPath,
    body: AppDataRequest,
    response: RequestedAppData,
    status: 202,
    errors: [409, 502],
    handler: ({ params, body, principal }) => requestAppData(deps, principal.scope, params.channel_id, body),
  })

  routes.write({
    id: 'deleteChannel',
    method: 'DELETE',
    url: '/channels/{channel_id}',
    tag,
    summary: 'Delete a channel',
    description:
      'Deletes its secrets and frees its number. Records that refer to it stay. A live chat number stays reserved for the organization for 30 days.',
    scope: 'full_access',
    params: ChannelPath,
    response: Deleted,
    handler: (tx, { params }) => deleteChannel(tx, params.channel_id, deps).then(() => deleted('Channel')),
  })
}
