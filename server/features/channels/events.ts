import { defineEvent } from '../../platform/events.ts'
import { Channel } from './schema.ts'

const scope = { scope: 'campaigns:manage', narrowerScope: 'campaigns:read' }

export const channelCreated = defineEvent('channel.created', scope, Channel)
export const channelUpdated = defineEvent('channel.updated', scope, Channel)
/** Quality, limit, throughput, name or restrictions changed at the platform. */
export const channelHealthChanged = defineEvent('channel.health_changed', scope, Channel)
export const channelDeleted = defineEvent('channel.deleted', scope, Channel)

export const channelEvents = [channelCreated, channelUpdated, channelHealthChanged, channelDeleted]
