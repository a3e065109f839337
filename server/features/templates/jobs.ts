import type { Database } from '../../platform/database.ts'
import { defineHandler } from '../../platform/jobs.ts'
import type { Log } from '../../platform/log.ts'
import type { ChatConnections } from '../channels/connections/chat-connections.ts'
import { registerTemplateJob, sweepTemplatesJob, syncTemplatesJob } from './job-kinds.ts'
import { registerTemplate } from './registering/register-template.ts'
import { sweepTemplates } from './syncing/sweep-templates.ts'
import { syncInTheBackground } from './syncing/sync-templates.ts'

export const templateJobs = (deps: { database: Database; chatConnections: ChatConnections; log: Log }) => [
  defineHandler({
    kind: registerTemplateJob,
    // Most of the time is spent waiting for the platform, and one organization must not delay the others.
    concurrency: 6,
    perGroup: 2,
    handle: ({ organization_id, livemode, template_id }) =>
      registerTemplate(deps, { organizationId: organization_id, livemode }, template_id),
  }),
  defineHandler({
    kind: syncTemplatesJob,
    concurrency: 4,
    perGroup: 2,
    handle: ({ organization_id, livemode, business_account_id }) =>
      syncInTheBackground(deps, { organizationId: organization_id, livemode }, business_account_id),
  }),
  defineHandler({
    kind: sweepTemplatesJob,
    schedule: '* * * * *',
    handle: (_nothing, { signal }) => sweepTemplates(deps.database, signal),
  }),
]
