import { limit, serveCalls, speechOf } from './call-harness.ts'
import { format, median, ratioLine, report } from './harness.ts'

/**
 * Benchmark 9: how many media streams one process serves before the 99th percentile of jitter reaches one frame (20
 * ms), compared with a plain echo; the latency a turn adds to its stages; how fast barge-in silences the agent; and the
 * jitter of recognized and scripted calls running together.
 */
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const maxJitterMs = 20
const steps = [100, 140, 200, 280, 390, 550]
const script = ['Hello, I would like to know when my parcel arrives.']

const spoken = await speechOf(script[0] as string)
const { load, held: heldCalls, stop } = await serveCalls()
const outcomes = async (calls: number) => (await heldCalls(calls)).outcomes

/** Interpolates between the last number of streams within the jitter limit and the first beyond it. */
function served(measured: { streams: number; p99: number }[]): number {
  const failed = measured.findIndex(({ p99 }) => p99 >= maxJitterMs)
  const last = measured[failed < 0 ? measured.length - 1 : failed - 1]
  const next = failed < 0 ? undefined : measured[failed]
  if (!last) return 0
  if (!next) return last.streams
  const share = (maxJitterMs - last.p99) / (next.p99 - last.p99)
  return Math.round(last.streams + share * (next.streams - last.streams))
}

const ours: number[] = []
const floor: number[] = []
for (let round = 0; round < rounds; round++) {
  const measured = { ours: [] as { streams: number; p99: number }[], floor: [] as { streams: number; p99: number }[] }
  for (const streams of steps)
    for (const [side, path] of [
      ['floor', '/echo'],
      ['ours', '/call?kind=monologue'],
    ] as const) {
      if (measured[side].some(({ p99 }) => p99 >= maxJitterMs)) continue
      const { p99, p50 } = await load({
        streams: [{ path, count: streams }],
        speech: [],
        warmUpMs: 1_500,
        measureMs: 2_500,
      })
      measured[side].push({ streams, p99 })
      console.log(`${side}: ${streams} streams, jitter p50 ${format(p50)} ms, p99 ${format(p99)} ms`)
    }
  ours.push(served(measured.ours))
  floor.push(served(measured.floor))
  await outcomes(measured.ours.reduce((sum, { streams }) => sum + streams, 0))
}

const turns = await load({
  streams: [{ path: '/call?kind=scripted', count: 5, script }],
  speech: spoken,
  warmUpMs: 1_000,
  measureMs: 14_000,
})
const added = (await outcomes(5)).flatMap(({ latency }) => latency.map(({ totalMs }) => totalMs - 500))
console.log(`turns: ${added.length}, jitter p99 ${format(turns.p99)} ms`)

const { silencedMs } = await load({
  streams: [{ path: '/call?kind=monologue', count: 20 }],
  speech: spoken,
  warmUpMs: 2_000,
  measureMs: 3_000,
  interrupts: true,
})
await outcomes(20)

const together = await load({
  streams: [
    { path: '/call?kind=recognised', count: 20 },
    { path: '/call?kind=scripted', count: 50, script },
  ],
  speech: spoken,
  warmUpMs: 6_000,
  measureMs: 15_000,
})
const held = await outcomes(70)
const recognised = held.flatMap(({ transcript }) => transcript.filter(({ source }) => source === 'recognised')).length
const scripted = held.flatMap(({ transcript }) => transcript.filter(({ source }) => source === 'scripted')).length
const faults = held.flatMap(({ failures }) => failures).length
await stop()

const worst = (values: number[]) => values.reduce((most, value) => Math.max(most, value), 0)
report('9 · calls', [
  ratioLine(`streams at p99 jitter < ${maxJitterMs} ms`, ours, floor, 'streams', 0.7),
  limit(
    'added delay per turn, instant stages, median',
    added.length > 0 ? median(added) : Number.MAX_SAFE_INTEGER,
    'ms',
    50,
  ),
  limit(
    'interruption to silence, worst of 20',
    silencedMs.length === 20 ? worst(silencedMs) : Number.MAX_SAFE_INTEGER,
    'ms',
    100,
  ),
  {
    ...limit(`p99 jitter of 20 recognised and 50 scripted calls at once`, together.p99, 'ms', maxJitterMs),
    floor: `${recognised} turns recognised, ${scripted} scripted, ${faults} faults`,
  },
])
