import type { Database } from '../../platform/database.ts'
import { conflict, found } from '../../platform/errors.ts'
import type { HealthChecks } from '../../platform/health.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { Jobs } from '../../platform/jobs.ts'
import { costOfTokens, type TokenRates } from '../../providers/llm/token-cost.ts'
import { liftSuspension, limitOrganization, suspendOrganization } from './change-suspension.ts'
import {
  countOrganizations,
  findJob,
  findOrganization,
  listActions,
  listOrganizations,
  listStuckJobs,
  readQueues,
  readUsage,
  recordRetry,
} from './queries.ts'
import {
  InstallationState,
  JobPath,
  type MonthOfUsage,
  OperatedOrganization,
  OperatedOrganizationFilter,
  OperatedOrganizationPage,
  OperatorActionFilter,
  OperatorActionPage,
  OrganizationLimits,
  OrganizationPath,
  StuckJobs,
  Suspension,
  Usage,
  UsageFilter,
} from './schema.ts'

const tag = 'Operator'
const mostStuck = 100

interface OperatorDependencies {
  database: Database
  jobs: Jobs
  health: HealthChecks
  version: string
  rates: TokenRates
}

export function operatorRoutes(routes: Routes, { database, jobs, health, version, rates }: OperatorDependencies): void {
  const sql = database.forSystem()
  const withCost = (month: MonthOfUsage): MonthOfUsage => {
    const { chat_input_tokens: inputTokens, chat_output_tokens: outputTokens } = month
    const { chat_own_key_input_tokens: ownInput = 0, chat_own_key_output_tokens: ownOutput = 0 } = month
    return {
      ...month,
      chat_cost: costOfTokens({ inputTokens, outputTokens }, rates),
      chat_own_key_cost: costOfTokens({ inputTokens: ownInput, outputTokens: ownOutput }, rates),
    }
  }

  routes.operator({
    id: 'getInstallation',
    method: 'GET',
    url: '/operator/installation',
    tag,
    summary: 'Get the state of the installation',
    description: 'Version, health and the queues of all organizations.',
    response: InstallationState,
    handler: async () => {
      const [checks, counts, queues] = await Promise.all([health(), countOrganizations(sql), readQueues(sql)])
      return { version, is_healthy: Object.values(checks).every((check) => check === 'ok'), checks, ...counts, queues }
    },
  })

  routes.operator({
    id: 'listOperatedOrganizations',
    method: 'GET',
    url: '/operator/organizations',
    tag,
    summary: 'List organizations',
    query: OperatedOrganizationFilter,
    response: OperatedOrganizationPage,
    handler: ({ query }) => listOrganizations(sql, query),
  })

  routes.operator({
    id: 'getOperatedOrganization',
    method: 'GET',
    url: '/operator/organizations/{organization_id}',
    tag,
    summary: 'Get an organization',
    params: OrganizationPath,
    response: OperatedOrganization,
    handler: async ({ params }) => found(await findOrganization(sql, params.organization_id), 'Organization'),
  })

  routes.operator({
    id: 'limitOrganization',
    method: 'PATCH',
    url: '/operator/organizations/{organization_id}',
    tag,
    summary: 'Change the limits of an organization',
    description: 'Limits of one organization in place of the settings, everywhere within five seconds.',
    params: OrganizationPath,
    body: OrganizationLimits,
    response: OperatedOrganization,
    handler: ({ params, body }) => database.inSystem((tx) => limitOrganization(tx, params.organization_id, body)),
  })

  routes.operator({
    id: 'suspendOrganization',
    method: 'POST',
    url: '/operator/organizations/{organization_id}/suspend',
    tag,
    summary: 'Suspend an organization',
    description:
      'Its credentials answer 403 with the code `organization_suspended`, and its campaigns, outgoing webhooks, agents and calls take no new work, everywhere within five seconds. Calls in progress end normally. Inbound webhooks are stored and processed after the suspension.',
    params: OrganizationPath,
    body: Suspension,
    response: OperatedOrganization,
    handler: ({ params, body }) =>
      database.inSystem((tx) => suspendOrganization(tx, params.organization_id, body.reason)),
  })

  routes.operator({
    id: 'liftSuspension',
    method: 'POST',
    url: '/operator/organizations/{organization_id}/lift',
    tag,
    summary: 'Lift the suspension of an organization',
    description: 'Its work continues where it stopped, and stored webhooks are processed.',
    params: OrganizationPath,
    response: OperatedOrganization,
    handler: ({ params }) => database.inSystem((tx) => liftSuspension(tx, params.organization_id)),
  })

  routes.operator({
    id: 'getOrganizationUsage',
    method: 'GET',
    url: '/operator/organizations/{organization_id}/usage',
    tag,
    summary: 'Get the usage of an organization by month',
    description:
      'Counted from stored records: deleted ones are missing. Chat tokens are those of agents’ answers, trials, drafts and analyses of closed tickets; call tokens are those of calls.',
    params: OrganizationPath,
    query: UsageFilter,
    response: Usage,
    handler: async ({ params, query }) => {
      found(await findOrganization(sql, params.organization_id), 'Organization')
      const months = await readUsage(sql, params.organization_id, query)
      return { mode: query.mode, data: months.map(withCost) }
    },
  })

  routes.operator({
    id: 'listOperatorActions',
    method: 'GET',
    url: '/operator/actions',
    tag,
    summary: 'List what operators did',
    description:
      'Newest first. The audit log of the organization has the same change, with “Operator of this installation” as the actor and without the IP address. `operator.created` and `operator.deleted` are those of `frontdesk operator add` and `remove`, by the user of the machine.',
    query: OperatorActionFilter,
    response: OperatorActionPage,
    handler: ({ query }) => listActions(sql, query),
  })

  routes.operator({
    id: 'listStuckJobs',
    method: 'GET',
    url: '/operator/jobs',
    tag,
    summary: 'List stuck jobs',
    description: `Jobs that failed for good, have been due for ten minutes or have been running for an hour; the newest ${mostStuck}.`,
    response: StuckJobs,
    handler: async () => ({ data: await listStuckJobs(sql, mostStuck) }),
  })

  routes.operator({
    id: 'retryJob',
    method: 'POST',
    url: '/operator/jobs/{job_id}/retry',
    tag,
    summary: 'Retry a failed job',
    params: JobPath,
    response: StuckJobs,
    errors: [409],
    handler: async ({ params }) => {
      const job = found(await findJob(sql, params.job_id), 'Job')
      if (job.state !== 'failed') throw conflict('This job has not failed: it is waiting, running or done')
      await jobs.retry(job.name, job.id)
      const { organization_id } = job
      if (organization_id) await database.inSystem((tx) => recordRetry(tx, organization_id, job))
      return { data: await listStuckJobs(sql, mostStuck) }
    },
  })
}
