import { setTimeout as sleep } from 'node:timers/promises'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** A gauge of a feature, by state, read at each scrape. */
export interface StateGauge {
  name: string
  help: string
  read(): Promise<Record<string, number>>
}

export interface QueueDepth {
  queue: string
  /** Items that wait, in progress or not. */
  waiting: number
  /** How long the oldest item has been due, in seconds; 0 if none is due. */
  oldest_seconds: number
}

/** One or more queues, read at each scrape. */
export interface QueueGauge {
  read(): Promise<QueueDepth[]>
}

interface Sample {
  labels: Record<string, string>
  value: number
}

/** Prometheus gives up on a scrape after ten seconds by default. Gauges that are not read by then are left out. */
const readTimeoutMs = 5_000

/**
 * The metrics of this process. Features add counters and histograms when they open; gauges are read from the database
 * at each scrape. Labels must have few values: never an id, a name or an address.
 */
export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const processed = new Counter({
    name: 'frontdesk_queue_processed_total',
    help: 'Attempts of this process to process an item of a queue, by outcome',
    labelNames: ['queue', 'outcome'],
    registers,
  })
  const waiting = new Gauge({
    name: 'frontdesk_queue_waiting',
    help: 'Items of each queue that wait or are in progress',
    labelNames: ['queue'],
    registers,
  })
  const oldest = new Gauge({
    name: 'frontdesk_queue_oldest_seconds',
    help: 'How long the oldest item of each queue has been due',
    labelNames: ['queue'],
    registers,
  })
  const failures = new Counter({
    name: 'frontdesk_gauge_read_failures_total',
    help: 'Gauges that could not be read from the database and were left out of a scrape',
    registers,
  })
  const readers: { reset(): void; read(): Promise<void> }[] = []
  let reading: Promise<void> | undefined

  function resetQueues(): void {
    waiting.reset()
    oldest.reset()
  }

  /** One after the other: a scrape takes one connection from the workers' pool, however many gauges there are. */
  async function readGauges(): Promise<void> {
    resetQueues()
    for (const { reset } of readers) reset()
    for (const { read } of readers) await read().catch(() => failures.inc())
  }

  return {
    registry,
    counter: <L extends string>(name: string, help: string, labelNames: L[]) =>
      new Counter({ name, help, labelNames, registers }),
    histogram: <L extends string>(name: string, help: string, labelNames: L[], buckets: number[]) =>
      new Histogram({ name, help, labelNames, buckets, registers }),
    gauge(name: string, help: string, labelNames: string[], read: () => Promise<Sample[]> | Sample[]): void {
      const gauge = new Gauge({ name, help, labelNames, registers })
      readers.push({
        reset: () => gauge.reset(),
        async read() {
          for (const { labels, value } of await read()) gauge.set(labels, value)
        },
      })
    },
    queues({ read }: QueueGauge): void {
      readers.push({
        reset: () => {},
        async read() {
          for (const depth of await read()) {
            waiting.set({ queue: depth.queue }, depth.waiting)
            oldest.set({ queue: depth.queue }, depth.oldest_seconds)
          }
        },
      })
    },
    /** A failed attempt counts as failed, also if the item will be tried again. */
    countProcessed(queue: string, outcome: 'succeeded' | 'failed', n = 1): void {
      if (n > 0) processed.inc({ queue, outcome }, n)
    },
    /** Reads the gauges. Scrapes that overlap share one reading. */
    async read(): Promise<void> {
      reading ??= readGauges().finally(() => {
        reading = undefined
      })
      await Promise.race([reading, sleep(readTimeoutMs, undefined, { ref: false })])
    },
  }
}
