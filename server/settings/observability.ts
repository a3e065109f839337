import Type from 'typebox'
import { baseUrl, secret } from './setting.ts'

const pairsPattern = '^[^=,\\s]+=[^,]*(,\\s*[^=,\\s]+=[^,]*)*$'

const exporter = (description: string) =>
  Type.Union([Type.Literal('otlp'), Type.Literal('none')], { default: 'otlp', description })

export const ObservabilitySettings = Type.Object(
  {
    LOG_LEVEL: Type.Union(
      (['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const).map((level) => Type.Literal(level)),
      { default: 'info', description: 'Log level. Readable lines on a terminal, JSON otherwise.' },
    ),
    METRICS_TOKEN: secret({
      minLength: 16,
      description: 'Bearer token for `/metrics`. If unset, only loopback may read the metrics.',
    }),
    OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
      Type.String({
        pattern: baseUrl,
        description:
          'Address of an OpenTelemetry collector that accepts OTLP over HTTP, such as `http://127.0.0.1:4318`. If unset, nothing is traced.',
      }),
    ),
    OTEL_EXPORTER_OTLP_HEADERS: secret({
      pattern: pairsPattern,
      description: 'Headers for the collector: `name=value`, separated by commas, values URL-encoded.',
    }),
    OTEL_TRACES_EXPORTER: exporter('Whether traces are sent to the collector.'),
    OTEL_METRICS_EXPORTER: exporter('Whether the metrics of `/metrics` are sent to the collector too.'),
    OTEL_TRACES_SAMPLER: Type.Union([Type.Literal('traceidratio'), Type.Literal('parentbased_traceidratio')], {
      default: 'traceidratio',
      description:
        'Who decides whether a request with a `traceparent` header is recorded: the share below, or (`parentbased_traceidratio`) its caller. Set the latter only if all callers are your own. A caller that does not record is respected in both cases.',
    }),
    OTEL_TRACES_SAMPLER_ARG: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 1,
      description: 'Share of traces that are recorded.',
    }),
    OTEL_SERVICE_NAME: Type.String({ default: 'frontdesk', description: 'Name of this service in traces.' }),
    OTEL_RESOURCE_ATTRIBUTES: Type.Optional(
      Type.String({
        pattern: pairsPattern,
        description:
          'More attributes of this service, such as `deployment.environment.name=production`, separated by commas.',
      }),
    ),
    OTEL_BSP_SCHEDULE_DELAY: Type.Integer({
      minimum: 10,
      default: 5000,
      description: 'Milliseconds between two exports of spans.',
    }),
    OTEL_METRIC_EXPORT_INTERVAL: Type.Integer({
      minimum: 10,
      default: 60_000,
      description: 'Milliseconds between two exports of metrics.',
    }),
  },
  { title: 'Logs, metrics and traces' },
)
