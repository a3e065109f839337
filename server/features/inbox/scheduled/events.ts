import { defineEvent } from '../../../platform/events.ts'
import { ScheduledMessage } from './schema.ts'

const scope = 'inbox:read'

export const scheduledMessageCreated = defineEvent('scheduled_message.created', scope, ScheduledMessage)
export const scheduledMessageUpdated = defineEvent('scheduled_message.updated', scope, ScheduledMessage)
export const scheduledMessageCancelled = defineEvent('scheduled_message.cancelled', scope, ScheduledMessage)
/** The message was created and is being sent. The message's own events say whether it arrives. */
export const scheduledMessageSent = defineEvent('scheduled_message.sent', scope, ScheduledMessage)
/** It could not be sent, for example because the contact has not written for 24 hours. */
export const scheduledMessageFailed = defineEvent('scheduled_message.failed', scope, ScheduledMessage)

export const scheduledMessageEvents = [
  scheduledMessageCreated,
  scheduledMessageUpdated,
  scheduledMessageCancelled,
  scheduledMessageSent,
  scheduledMessageFailed,
]
