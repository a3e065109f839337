import Type from 'typebox'
import { defineHandler, defineJob } from '../../platform/jobs.ts'
import type { Log } from '../../platform/log.ts'
import { Id } from '../../platform/schemas.ts'
import { syncBlockList } from './blocking/sync-block-list.ts'
import { type Fetching, fetchMedia } from './media/fetch-media.ts'
import { markRead } from './messages/mark-read.ts'
import { askForRating } from './ratings/ask-for-rating.ts'
import { sendScheduled } from './scheduled/send-scheduled.ts'
import type { Checking } from './sending/incoming-reply.ts'
import type { Sending } from './sending/send-message.ts'
import { sweepLostMessages } from './sending/sweep-lost-messages.ts'
import { wakeTickets } from './tickets/wake-tickets.ts'

const inTenant = { organizationId: Id, livemode: Type.Boolean() }

/** Downloads the file of an inbound message. Retried for seven days, which is how long the platform keeps it. */
export const fetchMediaJob = defineJob('inbox.fetch-media', Type.Object({ ...inTenant, mediaId: Id }), {
  retryLimit: 250,
  retryDelay: 2,
  retryDelayMax: 3600,
  expireInSeconds: 3600,
})

export const markReadJob = defineJob('inbox.mark-read', Type.Object({ ...inTenant, messageId: Id }), {
  retryLimit: 10,
  retryDelay: 2,
  retryDelayMax: 600,
})

/** Adds a contact to the platform's block list, or removes it. */
export const blockListJob = defineJob('inbox.sync-block-list', Type.Object({ ...inTenant, contactId: Id }), {
  retryLimit: 10,
  retryDelay: 2,
  retryDelayMax: 600,
})

export const sweepLostMessagesJob = defineJob('inbox.sweep-lost-messages', Type.Object({}))

/** Starts when the tickets' time has come. */
export const wakeTicketsJob = defineJob('inbox.wake-tickets', Type.Object({ ...inTenant, ticketIds: Type.Array(Id) }))

/** Asks the contact of a closed ticket for a rating. */
export const askForRatingJob = defineJob('inbox.ask-for-rating', Type.Object({ ...inTenant, ticketId: Id }))

export const sendScheduledJob = defineJob(
  'inbox.send-scheduled',
  Type.Object({ ...inTenant, scheduledMessageId: Id }),
  { retryLimit: 50, retryDelayMax: 600 },
)

export const inboxJobKinds = [
  fetchMediaJob,
  markReadJob,
  blockListJob,
  sweepLostMessagesJob,
  wakeTicketsJob,
  askForRatingJob,
  sendScheduledJob,
]

export const inboxJobs = (deps: Fetching & Sending & Checking & { log: Log }) => [
  defineHandler({
    kind: fetchMediaJob,
    concurrency: 4,
    handle: ({ mediaId, ...scope }, { signal }) => fetchMedia(deps, scope, mediaId, signal),
  }),
  defineHandler({
    kind: markReadJob,
    concurrency: 2,
    handle: ({ messageId, ...scope }) => markRead(deps, scope, messageId),
  }),
  defineHandler({
    kind: blockListJob,
    handle: ({ contactId, ...scope }) => syncBlockList(deps, scope, contactId),
  }),
  defineHandler({
    kind: sweepLostMessagesJob,
    schedule: '* * * * *',
    handle: () => sweepLostMessages(deps.database, deps),
  }),
  defineHandler({
    kind: wakeTicketsJob,
    handle: ({ ticketIds, ...scope }) =>
      deps.database.inTenant(scope, (tx) => wakeTickets(tx, ticketIds, { isDue: true })),
  }),
  defineHandler({
    kind: askForRatingJob,
    concurrency: 2,
    perGroup: 1,
    handle: ({ ticketId, ...scope }) => askForRating(deps, scope, ticketId),
  }),
  defineHandler({
    kind: sendScheduledJob,
    concurrency: 4,
    perGroup: 2,
    handle: ({ scheduledMessageId, ...scope }) => sendScheduled(deps, scope, scheduledMessageId),
  }),
]
