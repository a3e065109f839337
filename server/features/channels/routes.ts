import { notFound } from '../../platform/errors.ts'
import { toCursorPage } from '../../platform/http/pagination.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { PhoneNumbers } from '../../platform/phone-numbers.ts'
import { Deleted } from '../../platform/schemas.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { type ChatHookSettings, showChannel } from './chat-hook.ts'
import { createChannel } from './create-channel.ts'
import { deleteChannel } from './delete-channel.ts'
import { type ChannelRow, findChannel, listChannels } from './queries.ts'
import { Channel, ChannelChanges, ChannelFilter, ChannelPage, ChannelPath, NewChannel } from './schema.ts'
import { updateChannel } from './update-channel.ts'

const tag = 'Channels'

export function channelRoutes(
  routes: Routes,
  deps: { phones: PhoneNumbers; secrets: SecretBox; hooks: ChatHookSettings },
): void {
  const show = (row: ChannelRow) => showChannel(row, deps.secrets, deps.hooks)

  routes.read({
    id: 'listChannels',
    method: 'GET',
    url: '/channels',
    tag,
    summary: 'List channels',
    scope: 'campaigns:manage',
    query: ChannelFilter,
    response: ChannelPage,
    handler: async (sql, { query }) => {
      const page = toCursorPage<ChannelRow>(await listChannels(sql, query), query.limit)
      return { ...page, data: page.data.map(show) }
    },
  })

  routes.write({
    id: 'createChannel',
    method: 'POST',
    url: '/channels',
    tag,
    summary: 'Create a channel',
    description:
      'A number is enough: in test mode the simulator carries it, in live mode `chat` and `voice` can follow. Tokens ' +
      'and secrets are write-only: they are kept encrypted, and answers only tell whether they are there. A phone ' +
      'number and each platform’s `phone_number_id` belong to one channel: a second one is refused with the id of the first.',
    scope: 'full_access',
    body: NewChannel,
    response: Channel,
    status: 201,
    errors: [404],
    handler: (tx, { body }) => createChannel(tx, body, deps),
  })

  routes.read({
    id: 'getChannel',
    method: 'GET',
    url: '/channels/{channel_id}',
    tag,
    summary: 'Get a channel',
    scope: 'campaigns:manage',
    params: ChannelPath,
    response: Channel,
    handler: async (sql, { params }) => {
      const channel = await findChannel(sql, params.channel_id)
      if (!channel) throw notFound('Channel')
      return show(channel)
    },
  })

  routes.write({
    id: 'updateChannel',
    method: 'PATCH',
    url: '/channels/{channel_id}',
    tag,
    summary: 'Update a channel',
    description:
      'Changes the members given, also within `chat` and `voice`: an `access_token` alone is replaced alone. `null` ' +
      'takes a side away, with its secrets.',
    scope: 'full_access',
    params: ChannelPath,
    body: ChannelChanges,
    response: Channel,
    errors: [409],
    handler: (tx, { params, body }) => updateChannel(tx, params.channel_id, body, deps),
  })

  routes.write({
    id: 'deleteChannel',
    method: 'DELETE',
    url: '/channels/{channel_id}',
    tag,
    summary: 'Delete a channel',
    description: 'Its secrets are forgotten and its number may be used again; records that refer to it stay.',
    scope: 'full_access',
    params: ChannelPath,
    response: Deleted,
    handler: async (tx, { params }) => {
      await deleteChannel(tx, params.channel_id, deps)
      return { message: 'Channel deleted successfully' }
    },
  })
}
