import type { PersonalTable } from '../../platform/personal-data.ts'
import { sql } from '../../platform/sql.ts'
import { shownValuesSql } from '../templates/content/hide-codes.ts'
import { isFreezing, mergeDeliveries, replaceInAudiences } from './deliveries/merge-deliveries.ts'
import { withoutRecipient } from './retention-queries.ts'

export const campaignData: PersonalTable[] = [
  {
    table: 'deliveries',
    rows: ({ id, addresses }) => sql`(contact_id = ${id}
      or duplicate_of = any(array(select id from deliveries where contact_id = ${id}))
      or (contact_id is null and phone_number <> '' and phone_number = any(${addresses}::text[])))`,
    export: {
      columns: sql`id, campaign_id, phone_number, whatsapp_user_id, time_zone, ${shownValuesSql(
        sql`(select k.template_category from campaigns k where k.id = deliveries.campaign_id)`,
        sql`variables`,
      )} as variables, status, code, reason, accepted_at,
        delivered_at, read_at, replied_at, tapped_buttons, chat_message_id, created_at`,
    },
    // The figures of the campaign stay. What is pending is skipped by the last check before sending.
    erase: withoutRecipient,
    merge: mergeDeliveries,
  },
  {
    table: 'campaigns',
    exempt: 'lists ids of contacts, which say nothing once the contact is gone',
    merge: replaceInAudiences,
    // The recipients are frozen in the order of their ids: the remaining contact may be behind the cursor already.
    async mergeObstacle(tx) {
      return (await isFreezing(tx)) ? 'A campaign is collecting its recipients: try again in a few seconds' : undefined
    },
  },
]
