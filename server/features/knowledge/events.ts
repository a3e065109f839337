import { defineEvent } from '../../platform/events.ts'
import { Document } from './schema.ts'

const scope = 'knowledge:read'

export const documentCreated = defineEvent('document.created', scope, Document)
export const documentReady = defineEvent('document.ready', scope, Document)
export const documentFailed = defineEvent('document.failed', scope, Document)
export const documentDeleted = defineEvent('document.deleted', scope, Document)

export const documentEvents = [documentCreated, documentReady, documentFailed, documentDeleted]
