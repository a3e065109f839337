import { defineEvent } from '../../platform/events.ts'
import { Call } from './schema.ts'

const scope = 'calls:read'

/** Somebody answered, and the agent talks. */
export const callStarted = defineEvent('call.started', scope, Call)
/** However it ended; a call that nobody answered has only this one. */
export const callEnded = defineEvent('call.ended', scope, Call)
/** Its summary, analysis and cost are there. */
export const callAnalyzed = defineEvent('call.analyzed', scope, Call)
export const callDeleted = defineEvent('call.deleted', scope, Call)

export const callEvents = [callStarted, callEnded, callAnalyzed, callDeleted]
