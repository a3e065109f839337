import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { OnFallback } from './contract.ts'

/** Counts and logs each time that a provider of a chain takes over. */
export function observeFallbacks({ metrics, log }: { metrics: Metrics; log: Log }): OnFallback {
  const count = metrics.counter(
    'frontdesk_provider_fallbacks_total',
    'Times that a provider failed and the next one of its chain took over; `stage` is `model`, `transcriber` or `voice`',
    ['stage', 'from', 'to'],
  )
  return ({ stage, from, to, message }) => {
    // Customers name the models, so labels have providers only.
    const [failed = from] = from.split('/')
    const [next = to] = to.split('/')
    count.inc({ stage, from: failed, to: next })
    log.warn({ stage, from, to, reason: message }, 'provider fallback: next provider of the chain took over')
  }
}
