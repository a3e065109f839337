import Type from 'typebox'
import { defineEvent } from '../../platform/events.ts'
import { Id } from '../../platform/schemas.ts'
import { Webhook } from './schema.ts'

const scope = 'webhooks:admin'

/** Nothing is sent to it any more: somebody wanted that, it answered 410, or it failed for days. */
export const webhookDisabled = defineEvent('webhook.disabled', scope, Webhook)

/** Sent to one endpoint when somebody tests it, and to no other. */
export const ping = defineEvent('ping', scope, Type.Object({ id: Id, message: Type.String() }))

export const webhookEvents = [webhookDisabled, ping]
