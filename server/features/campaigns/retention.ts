import type { RetentionRule } from '../../platform/personal-data.ts'
import { blankRecipients, lockExpiredCampaign, markRecipientsExpired } from './retention-queries.ts'

export const campaignRetention: RetentionRule[] = [
  {
    kind: 'messages',
    table: 'deliveries',
    async expire(tx, oldestKept, batchSize) {
      const campaign = await lockExpiredCampaign(tx, oldestKept)
      if (!campaign) return 0
      const blanked = await blankRecipients(tx, campaign.id, batchSize)
      if (blanked > 0) return blanked
      return markRecipientsExpired(tx, campaign.id)
    },
  },
]
