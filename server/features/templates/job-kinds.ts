import Type from 'typebox'
import type { TenantScope, TenantTx } from '../../platform/database.ts'
import { defineJob } from '../../platform/jobs.ts'
import { Id } from '../../platform/schemas.ts'

const tenant = { organization_id: Id, livemode: Type.Boolean() }

/** Schedules its own next attempt; the queue's retries are for internal errors. */
export const registerTemplateJob = defineJob('templates.register', Type.Object({ ...tenant, template_id: Id }))

export const syncTemplatesJob = defineJob(
  'templates.sync',
  Type.Object({ ...tenant, business_account_id: Type.String() }),
  { retryLimit: 2, expireInSeconds: 3600 },
)

/** Every minute: accounts due for a sync, and registrations whose job was lost. */
export const sweepTemplatesJob = defineJob('templates.sweep', Type.Object({}))

export const templateJobKinds = [registerTemplateJob, syncTemplatesJob, sweepTemplatesJob]

/** Enqueues the registration of one template, now or in some seconds. Organizations take turns. */
export const enqueueRegistration = (
  tx: Pick<TenantTx, 'enqueue'>,
  { organizationId, livemode }: TenantScope,
  templateId: string,
  seconds = 0,
) =>
  tx.enqueue(
    registerTemplateJob,
    { organization_id: organizationId, livemode, template_id: templateId },
    { group: { id: organizationId }, startAfter: Math.ceil(seconds) },
  )

/** Enqueues the sync of one business account. */
export const enqueueSync = (
  tx: Pick<TenantTx, 'enqueue'>,
  { organizationId, livemode }: TenantScope,
  businessAccountId: string,
  seconds = 0,
) =>
  tx.enqueue(
    syncTemplatesJob,
    { organization_id: organizationId, livemode, business_account_id: businessAccountId },
    { group: { id: organizationId }, startAfter: Math.ceil(seconds) },
  )
