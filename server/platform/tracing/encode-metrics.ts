import type { MetricObjectWithValues, MetricValue, MetricValueWithName } from 'prom-client'
import { encodeAttributes, type Origin, toNanoseconds } from './encode-spans.ts'

type Metric = MetricObjectWithValues<MetricValue<string>>

const cumulative = 2

/** The metrics of the Prometheus registry in OTLP: the same names and labels as at `/metrics`. */
export function encodeMetrics(metrics: Metric[], { resource, version }: Origin, since: number): string {
  const times = { startTimeUnixNano: toNanoseconds(since), timeUnixNano: toNanoseconds(Date.now()) }
  return JSON.stringify({
    resourceMetrics: [
      {
        resource: { attributes: encodeAttributes(resource) },
        scopeMetrics: [
          {
            scope: { name: 'frontdesk', version },
            metrics: metrics.map(({ name, help, ...metric }) => ({
              name,
              description: help,
              ...encodeData(metric, times),
            })),
          },
        ],
      },
    ],
  })
}

// prom-client declares its types as numbers and gives them as words.
const typeOf = ({ type }: Pick<Metric, 'type'>) => String(type)

function encodeData(metric: Omit<Metric, 'name' | 'help'>, times: object) {
  if (typeOf(metric) === 'histogram')
    return { histogram: { aggregationTemporality: cumulative, dataPoints: encodeHistogram(metric.values, times) } }
  const dataPoints = metric.values.map(({ labels, value }) => ({
    attributes: encodeAttributes(labels as Record<string, string>),
    ...times,
    asDouble: value,
  }))
  return typeOf(metric) === 'counter'
    ? { sum: { aggregationTemporality: cumulative, isMonotonic: true, dataPoints } }
    : { gauge: { dataPoints } }
}

/** prom-client lists each bucket, the sum and the count as a value of its own, and its buckets include smaller ones. */
function encodeHistogram(values: MetricValue<string>[], times: object) {
  const series = Map.groupBy(values as MetricValueWithName<string>[], ({ labels: { le: _, ...labels } }) =>
    JSON.stringify(labels),
  )
  return [...series].map(([labels, of]) => {
    const ending = (suffix: string) => of.filter(({ metricName }) => metricName?.endsWith(suffix))
    const buckets = ending('_bucket')
    return {
      attributes: encodeAttributes(JSON.parse(labels)),
      ...times,
      count: String(ending('_count')[0]?.value ?? 0),
      sum: ending('_sum')[0]?.value ?? 0,
      explicitBounds: buckets.map(({ labels: { le } }) => Number(le)).filter(Number.isFinite),
      bucketCounts: buckets.map(({ value }, i) => String(value - (buckets[i - 1]?.value ?? 0))),
    }
  })
}
