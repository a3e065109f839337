import { defineEvent } from '../../platform/events.ts'
import { Collection } from './collections/schema.ts'
import { Document } from './schema.ts'

const scope = 'knowledge:read'

export const documentCreated = defineEvent('document.created', scope, Document)
export const documentReady = defineEvent('document.ready', scope, Document)
export const documentFailed = defineEvent('document.failed', scope, Document)
export const documentUpdated = defineEvent('document.updated', scope, Document)
export const documentDeleted = defineEvent('document.deleted', scope, Document)

export const collectionCreated = defineEvent('collection.created', scope, Collection)
/** Its name or description changed, or a document was added or removed. */
export const collectionUpdated = defineEvent('collection.updated', scope, Collection)
export const collectionDeleted = defineEvent('collection.deleted', scope, Collection)

export const documentEvents = [documentCreated, documentReady, documentFailed, documentUpdated, documentDeleted]
export const collectionEvents = [collectionCreated, collectionUpdated, collectionDeleted]
