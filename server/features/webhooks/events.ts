import Type from 'typebox'
import { defineEvent } from '../../platform/events.ts'
import { Id } from '../../platform/schemas.ts'
import { Webhook } from './schema.ts'

const scope = 'webhooks:admin'

/** A member or an API client disabled it, the endpoint answered 410, or it failed for days. */
export const webhookDisabled = defineEvent('webhook.disabled', scope, Webhook)

/** Sent to the tested endpoint alone. */
export const ping = defineEvent('ping', scope, Type.Object({ id: Id, message: Type.String() }))

export const webhookEvents = [webhookDisabled, ping]
