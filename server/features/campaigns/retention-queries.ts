import Type from 'typebox'
import type { TenantTx } from '../../platform/database.ts'
import { Id } from '../../platform/schemas.ts'
import { sql } from '../../platform/sql.ts'

/**
 * Removes everything about the recipient; status and times stay, so that the figures of the campaign do not change. The
 * ids of the platform go too: they contain the number.
 */
export const withoutRecipient = sql`contact_id = null, phone_number = '', whatsapp_user_id = null, time_zone = null, variables = '{}',
  detail = null, chat_message_id = null, former_message_ids = null, updated_at = now()`

const Expired = Type.Object({ id: Id })

/** The oldest campaign that ended before the time of this id and still has recipients. */
export const lockExpiredCampaign = (tx: TenantTx, oldestKept: string) =>
  tx.maybe(Expired)`
    select id from campaigns where status in ('completed', 'cancelled', 'failed') and recipients_expired_at is null
      and coalesce(completed_at, updated_at) < id_time(${oldestKept})
    order by id limit 1 for update skip locked`

export const blankRecipients = (tx: TenantTx, campaignId: string, limit: number) =>
  tx.run`
    update deliveries set ${withoutRecipient} where id = any(array(
      select id from deliveries where campaign_id = ${campaignId} and (contact_id is not null or phone_number <> ''
        or whatsapp_user_id is not null or variables <> '{}')
      limit ${limit} for update))`

export const markRecipientsExpired = (tx: TenantTx, campaignId: string) =>
  tx.run`update campaigns set recipients_expired_at = now() where id = ${campaignId}`
