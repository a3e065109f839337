import { defineEvent } from '../../platform/events.ts'
import { fullAccess } from '../../platform/http/principal.ts'
import { ProviderKey } from './schema.ts'

/** The key itself is part of no event. */
export const providerKeyCreated = defineEvent('provider_key.created', fullAccess, ProviderKey)
export const providerKeyUpdated = defineEvent('provider_key.updated', fullAccess, ProviderKey)
export const providerKeyDeleted = defineEvent('provider_key.deleted', fullAccess, ProviderKey)

export const providerKeyEvents = [providerKeyCreated, providerKeyUpdated, providerKeyDeleted]
