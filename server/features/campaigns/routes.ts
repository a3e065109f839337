import type { Database } from '../../platform/database.ts'
import { found, notFound } from '../../platform/errors.ts'
import { toCursorPage } from '../../platform/http/pagination.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { Deleted, deleted } from '../../platform/schemas.ts'
import type { ChatConnections } from '../channels/connections/chat-connections.ts'
import { cancelCampaign } from './cancel-campaign.ts'
import { createCampaign } from './create-campaign.ts'
import { deleteCampaign } from './delete-campaign.ts'
import { listDeliveries } from './deliveries/queries.ts'
import { type Delivery, DeliveryFilter, DeliveryPage } from './deliveries/schema.ts'
import { pauseCampaign } from './pause-campaign.ts'
import { preflightCampaign } from './preflight-campaign.ts'
import { Preflight } from './preflight-schema.ts'
import { findCampaign, listCampaigns } from './queries.ts'
import { campaignReportRoutes } from './report/routes.ts'
import { resumeCampaign } from './resume-campaign.ts'
import { retryCampaign } from './retry-campaign.ts'
import {
  Campaign,
  CampaignChanges,
  CampaignFilter,
  CampaignPage,
  CampaignPath,
  NewCampaign,
  RetriedCampaign,
  Retry,
} from './schema.ts'
import { updateCampaign } from './update-campaign.ts'

const tag = 'Campaigns'
const scope = 'campaigns:manage'
const narrowerScope = 'campaigns:read'

/** Holds 100,000 contact ids. */
const bodyLimit = 8 * 1024 * 1024

export function campaignRoutes(
  routes: Routes,
  {
    database,
    chatConnections,
    createsPerMinute,
  }: { database: Database; chatConnections: ChatConnections; createsPerMinute: number },
): void {
  routes.read({
    id: 'listCampaigns',
    method: 'GET',
    url: '/campaigns',
    tag,
    summary: 'List campaigns',
    scope,
    narrowerScope,
    query: CampaignFilter,
    response: CampaignPage,
    handler: async (sql, { query }) => toCursorPage<Campaign>(await listCampaigns(sql, query), query.limit),
  })

  routes.write({
    id: 'createCampaign',
    method: 'POST',
    url: '/campaigns',
    tag,
    summary: 'Create a campaign',
    description:
      'Sends a template to all contacts in the audience, now or at `scheduled_at`. Recipients are frozen when sending starts, up to 10,000 of them before this request returns. Marketing is not sent to contacts who have opted out.',
    scope,
    body: NewCampaign,
    response: Campaign,
    status: 201,
    errors: [400, 409],
    rateLimit: { name: 'campaigns', perMinute: createsPerMinute },
    bodyLimit,
    handler: (tx, { body, principal: { actor } }) => createCampaign(tx, body, { chatConnections, actor }),
  })

  routes.read({
    id: 'preflightCampaign',
    method: 'POST',
    url: '/campaigns/preflight',
    tag,
    summary: 'Preview a campaign',
    description: 'Accepts the same body as creating a campaign and writes nothing.',
    scope,
    body: NewCampaign,
    response: Preflight,
    errors: [400, 409],
    bodyLimit,
    handler: (sql, { body }) => preflightCampaign(sql, body, { chatConnections }),
  })

  routes.read({
    id: 'getCampaign',
    method: 'GET',
    url: '/campaigns/{campaign_id}',
    tag,
    summary: 'Get a campaign',
    scope,
    narrowerScope,
    params: CampaignPath,
    response: Campaign,
    handler: async (sql, { params }) => found(await findCampaign(sql, params.campaign_id), 'Campaign'),
  })

  routes.write({
    id: 'updateCampaign',
    method: 'PATCH',
    url: '/campaigns/{campaign_id}',
    tag,
    summary: 'Update a scheduled campaign',
    description:
      'Changes only the fields that you send, while the campaign is scheduled. Without `scheduled_at`, or with a past one, it starts.',
    scope,
    params: CampaignPath,
    body: CampaignChanges,
    response: Campaign,
    errors: [400, 409],
    bodyLimit,
    handler: (tx, { params, body }) => updateCampaign(tx, params.campaign_id, body, { chatConnections }),
  })

  routes.write({
    id: 'deleteCampaign',
    method: 'DELETE',
    url: '/campaigns/{campaign_id}',
    tag,
    summary: 'Delete a campaign',
    description: 'Stops it first. Deletes its deliveries too; messages that were sent stay with their contacts.',
    scope,
    params: CampaignPath,
    response: Deleted,
    handler: (tx, { params }) => deleteCampaign(tx, params.campaign_id).then(() => deleted('Campaign')),
  })

  routes.write({
    id: 'pauseCampaign',
    method: 'POST',
    url: '/campaigns/{campaign_id}/pause',
    tag,
    summary: 'Pause a campaign',
    description: 'Messages in flight still arrive; nothing else is sent until you resume it.',
    scope,
    params: CampaignPath,
    response: Campaign,
    errors: [409],
    handler: async (tx, { params }) => {
      await pauseCampaign(tx, params.campaign_id)
      return found(await findCampaign(tx, params.campaign_id), 'Campaign')
    },
  })

  routes.write({
    id: 'resumeCampaign',
    method: 'POST',
    url: '/campaigns/{campaign_id}/resume',
    tag,
    summary: 'Resume a paused campaign',
    scope,
    params: CampaignPath,
    response: Campaign,
    errors: [409],
    handler: async (tx, { params }) => {
      await resumeCampaign(tx, params.campaign_id, { chatConnections })
      return found(await findCampaign(tx, params.campaign_id), 'Campaign')
    },
  })

  routes.write({
    id: 'cancelCampaign',
    method: 'POST',
    url: '/campaigns/{campaign_id}/cancel',
    tag,
    summary: 'Cancel a campaign',
    description: 'Final. Messages that were not sent stay pending and are never sent.',
    scope,
    params: CampaignPath,
    response: Campaign,
    errors: [409],
    handler: async (tx, { params }) => {
      await cancelCampaign(tx, params.campaign_id)
      return found(await findCampaign(tx, params.campaign_id), 'Campaign')
    },
  })

  routes.write({
    id: 'retryCampaign',
    method: 'POST',
    url: '/campaigns/{campaign_id}/retry',
    tag,
    summary: 'Retry deliveries',
    description:
      'Retries deliveries that `failed`, or those with the status `unknown`. An unknown message may already have been sent, so the contact may get it twice; that is why the service never retries it by itself. Missing variables are filled from the contacts’ current data.',
    scope,
    params: CampaignPath,
    body: Retry,
    response: RetriedCampaign,
    errors: [409],
    handler: async (tx, { params, body }) => {
      const retried_count = await retryCampaign(tx, params.campaign_id, body.scope, { chatConnections })
      return { ...found(await findCampaign(tx, params.campaign_id), 'Campaign'), retried_count }
    },
  })

  routes.read({
    id: 'listDeliveries',
    method: 'GET',
    url: '/campaigns/{campaign_id}/deliveries',
    tag,
    summary: 'List a campaign’s deliveries',
    description: 'One per recipient, with its status and, if it failed, the reason.',
    scope,
    narrowerScope,
    params: CampaignPath,
    query: DeliveryFilter,
    response: DeliveryPage,
    handler: async (sql, { params, query }) => {
      const rows = await listDeliveries(sql, params.campaign_id, query)
      if (rows.length === 0) throw notFound('Campaign')
      return toCursorPage<Delivery>(rows, query.limit)
    },
  })

  campaignReportRoutes(routes, { database })
}
