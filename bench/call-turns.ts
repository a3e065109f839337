import { limit, percentile, serveCalls, speechOf } from './call-harness.ts'
import { report } from './harness.ts'

/**
 * Benchmark 9, continued: how a call feels. Turn latency at the socket, from the caller's last audible frame to the
 * agent's first, with mock providers of realistic delays and with the speech packages that come along; caller turns
 * without an answer; how fast barge-in is decided.
 *
 * Barge-in has three steps (ADR 88). The goal of 300 ms is for the first: from then on the caller is not talked over.
 * Silence takes as much sound as a back-channel has, and the answer is dropped once there are words.
 */
const turnsWanted = Number(process.env.BENCH_TURNS ?? 500)
/** Speech, answer and the time that the caller hesitates. */
const turnMs = 7_600
const streams = 40
const offlineTurns = 12

const { load, held, stop } = await serveCalls()
const question = await speechOf('Hello, I would like to know when my parcel arrives.')

const hosted = await load({
  streams: [{ path: '/call?kind=hosted', count: streams }],
  speech: question,
  warmUpMs: 1_000,
  measureMs: Math.ceil(turnsWanted / streams) * turnMs,
})
await held(streams)

const { loweredMs } = await load({
  streams: [{ path: '/call?kind=hosted-monologue', count: 20 }],
  speech: question,
  warmUpMs: 2_000,
  measureMs: 5_000,
  interrupts: true,
})
const { bargeIns } = await held(20)

const offline = await load({
  streams: [{ path: '/call?kind=recognised', count: 1 }],
  speech: question,
  warmUpMs: 6_000,
  measureMs: offlineTurns * turnMs,
})
await held(1)
await stop()
const noted = (what: string, ms: number) => ({ ...limit(what, ms, 'ms', 0), goal: 'none', met: true })
const worstOf20 = (values: number[]) => (values.length === 20 ? percentile(values, 1) : Number.MAX_SAFE_INTEGER)

report('9 · call turns: last sound of the caller to first sound of the agent', [
  limit('mock providers (80 + 250 + 120 ms), median', percentile(hosted.answeredMs, 0.5), 'ms', 700),
  limit('mock providers, p95', percentile(hosted.answeredMs, 0.95), 'ms', 1_000),
  {
    ...limit('caller turns without an answer', hosted.unanswered, 'turns', 0),
    floor: `of ${hosted.answeredMs.length + hosted.unanswered}`,
  },
  limit('speech on this machine, one call, median', percentile(offline.answeredMs, 0.5), 'ms', 1_200),
  limit('speech on this machine, one call, p95', percentile(offline.answeredMs, 0.95), 'ms', 2_000),
  limit(
    'barge-in 1: first sound of the caller to lowered voice (-18 dB), worst of 20',
    worstOf20(loweredMs),
    'ms',
    300,
  ),
  noted(
    'barge-in 2: first sound of the caller to silence, from which the agent may go on, worst of 20',
    worstOf20(bargeIns.map((each) => each.pausedMs)),
  ),
  noted(
    'barge-in 3: first sound of the caller to the end of the answer, worst of 20',
    worstOf20(bargeIns.map((each) => each.decidedMs)),
  ),
])
