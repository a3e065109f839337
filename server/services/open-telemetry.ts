import { hostname } from 'node:os'
import type { Settings } from '../config.ts'
import manifest from '../package.json' with { type: 'json' }
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { createTracer, noTracer, type Tracer } from '../platform/tracing/trace.ts'

interface Telemetry {
  tracer: Tracer
  close(): Promise<void>
}

/** Traces and metrics for an OpenTelemetry collector. Nothing is loaded unless one is configured. */
export async function openTelemetry(settings: Settings, deps: { metrics: Metrics; log: Log }): Promise<Telemetry> {
  const {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_TRACES_EXPORTER: traces,
    OTEL_METRICS_EXPORTER: values,
  } = settings
  if (!endpoint || (traces === 'none' && values === 'none')) return { tracer: noTracer, close: async () => {} }
  const { startExporter } = await import('../platform/tracing/start-exporter.ts')
  const exporter = startExporter(
    {
      endpoint,
      headers: pairsIn(settings.OTEL_EXPORTER_OTLP_HEADERS),
      resource: {
        'service.name': settings.OTEL_SERVICE_NAME,
        'service.version': manifest.version,
        'service.instance.id': `${hostname()}:${process.pid}`,
        ...pairsIn(settings.OTEL_RESOURCE_ATTRIBUTES),
      },
      version: manifest.version,
      sendsMetrics: values === 'otlp',
      spansEveryMs: settings.OTEL_BSP_SCHEDULE_DELAY,
      metricsEveryMs: settings.OTEL_METRIC_EXPORT_INTERVAL,
    },
    deps,
  )
  const sampling = {
    ratio: settings.OTEL_TRACES_SAMPLER_ARG,
    followsCallers: settings.OTEL_TRACES_SAMPLER === 'parentbased_traceidratio',
  }
  const tracer = traces === 'otlp' ? createTracer(exporter.add, sampling) : noTracer
  return { tracer, close: exporter.close }
}

/** `name=value` pairs, separated by commas, with URL-encoded values. The pattern of the setting has been checked. */
const pairsIn = (text = ''): Record<string, string> =>
  Object.fromEntries(
    text
      .split(',')
      .filter((pair) => pair.trim() !== '')
      .map((pair) => {
        const [name = '', ...value] = pair.split('=')
        return [name.trim(), decoded(value.join('=').trim())]
      }),
  )

/** A value with a stray percent sign is taken as it is. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
