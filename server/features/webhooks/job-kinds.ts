import Type from 'typebox'
import { defineJob } from '../../platform/jobs.ts'
import { Id } from '../../platform/schemas.ts'

export const sweepWebhooksJob = defineJob('webhooks.sweep', Type.Object({}))

export const recoverDeliveriesJob = defineJob(
  'webhooks.recover',
  Type.Object({
    organizationId: Id,
    livemode: Type.Boolean(),
    webhookId: Id,
    from: Type.String(),
    until: Type.String(),
  }),
)

export const webhookJobKinds = [sweepWebhooksJob, recoverDeliveriesJob]
