import Type from 'typebox'
import type { TenantScope, TenantTx } from '../../platform/database.ts'
import { defineJob } from '../../platform/jobs.ts'
import { Id } from '../../platform/schemas.ts'

const tenant = { organization_id: Id, livemode: Type.Boolean() }

/** Says when it wants to be tried again by enqueueing itself; the queue's own retries are for faults of ours. */
export const registerTemplateJob = defineJob('templates.register', Type.Object({ ...tenant, template_id: Id }))

export const syncTemplatesJob = defineJob(
  'templates.sync',
  Type.Object({ ...tenant, business_account_id: Type.String() }),
  { retryLimit: 2, expireInSeconds: 3600 },
)

/** Every minute: accounts whose turn it is, and registrations that were forgotten. */
export const sweepTemplatesJob = defineJob('templates.sweep', Type.Object({}))

export const templateJobKinds = [registerTemplateJob, syncTemplatesJob, sweepTemplatesJob]

/** Adds the job that registers one template, now or in some seconds. Organizations take turns. */
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

/** The same for the job that lists one business account. */
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
