import Type, { type Static } from 'typebox'
import { Count, Instant, Nullable } from '../../platform/schemas.ts'

export const Preflight = Type.Object(
  {
    total_contacts_count: Count('Contacts in the audience'),
    recipients: Count('Contacts who would get the message'),
    skipped: Type.Object(
      {
        opted_out: Count('Contacts who have opted out of marketing'),
        no_address: Count('Contacts without a number or chat account that the template can be sent to'),
        blocked: Count('Blocked contacts'),
      },
      { title: 'PreflightSkipped' },
    ),
    missing_variable: Count('Recipients for whom a variable has no value: their deliveries would fail'),
    unresolved_variables: Type.Array(
      Type.Object(
        {
          variable: Type.String({ examples: ['2'] }),
          contacts: Count('Number of contacts without a value'),
        },
        { title: 'UnresolvedVariable' },
      ),
      { examples: [[{ variable: '2', contacts: 3 }]] },
    ),
    messages_per_second: Type.Integer({ description: 'The channel’s rate', examples: [80] }),
    minutes: Type.Number({ description: 'Estimated sending time at that rate', examples: [1.3] }),
    last_message_at: Nullable({
      ...Instant,
      description: 'Estimated time of the last message; null if there is no recipient, or not within ten years',
    }),
    time_zone: Type.String({
      description:
        'The most common time zone among the first 1,000 contacts of the audience, by the rules of `sending_times`',
      examples: ['Europe/Berlin'],
    }),
    daily_limit: Nullable(
      Type.Object(
        {
          limit: Type.Integer({
            description: 'People that the business may write to first within 24 hours',
            examples: [2000],
          }),
          used: Count('Contacts that got a template within the last 24 hours, on all channels of the business account'),
          remaining: Type.Integer({ description: 'Contacts that it can still reach', examples: [2000] }),
        },
        { title: 'DailyLimit' },
      ),
    ),
    warnings: Type.Array(Type.String(), {
      description: 'Problems that would prevent sending, in whole or in part',
      examples: [[]],
    }),
  },
  { title: 'CampaignPreflight' },
)
export type Preflight = Static<typeof Preflight>
