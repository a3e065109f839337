import Type from 'typebox'

export const WebhookSettings = Type.Object(
  {
    WEBHOOK_RETRY_SECONDS: Type.Array(Type.String({ pattern: '^\\d+(\\.\\d+)?$' }), {
      default: ['5', '300', '1800', '7200', '18000', '36000', '50400', '72000', '86400'],
      description:
        'Retry schedule of outgoing webhooks: the wait after the first failed attempt, after the second, and so on, in seconds separated by commas. Up to 20 % of jitter is added. After the last attempt the delivery has failed.',
    }),
    WEBHOOK_TIMEOUT_SECONDS: Type.Number({
      minimum: 0.1,
      maximum: 60,
      default: 15,
      description: 'How long an endpoint may take to respond to an outgoing webhook.',
    }),
    WEBHOOK_DISABLE_AFTER_SECONDS: Type.Number({
      minimum: 1,
      default: 432_000,
      description: 'An endpoint is disabled after every attempt has failed for this long; five days by default.',
    }),
    WEBHOOK_CONCURRENCY: Type.Integer({
      minimum: 4,
      maximum: 10_000,
      default: 256,
      description: 'Outgoing webhooks that a process has in flight at once; at most 32 of them to one endpoint.',
    }),
    STREAM_HEARTBEAT_SECONDS: Type.Number({
      minimum: 0.1,
      maximum: 300,
      default: 15,
      description:
        'How often an idle event stream sends a heartbeat. Keep it shorter than the idle timeout of your proxies.',
    }),
  },
  { title: 'Webhooks and event streams' },
)
