import { defineEvent } from '../../platform/events.ts'
import { Call } from './schema.ts'

const scope = 'calls:read'

/** The call was answered and the agent starts to talk. */
export const callStarted = defineEvent('call.started', scope, Call)
/** Sent for every call; the only one of the two for a call that was not answered. */
export const callEnded = defineEvent('call.ended', scope, Call)
/** Summary, analysis and cost are available. */
export const callAnalyzed = defineEvent('call.analyzed', scope, Call)
/** The carrier reported whether a transferred caller was connected. */
export const callTransferred = defineEvent('call.transferred', scope, Call)
export const callDeleted = defineEvent('call.deleted', scope, Call)

export const callEvents = [callStarted, callEnded, callAnalyzed, callTransferred, callDeleted]
