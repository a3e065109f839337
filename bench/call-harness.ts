import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createFramer } from '../server/providers/speech/audio.ts'
import { createOfflineSpeech } from '../server/providers/speech/offline.ts'
import { isAudible } from './audible.ts'
import type { CallLoad, CallLoadResult } from './call-load.ts'
import { format, type Line, serve } from './harness.ts'
import type { Held } from './serve-calls.ts'

/** For the benchmarks of calls: a process that holds them, another that places them, and what a caller says. */

/** Frames of the caller's speech, base64 each, without the silence around it. */
export async function speechOf(text: string): Promise<string[]> {
  const speech = createOfflineSpeech({ processes: 1 })
  const options = { encoding: 'mulaw-8000' as const, voice: 'rms', language: 'en-US' }
  const pieces = await Array.fromAsync(speech.voice.speak(text, { ...options, signal: AbortSignal.timeout(30_000) }))
  await speech.close()
  const frames = createFramer('mulaw-8000')(Buffer.concat(pieces))
  const spoken = frames.slice(frames.findIndex(isAudible), frames.findLastIndex(isAudible) + 1)
  return spoken.map((frame) => Buffer.from(frame).toString('base64'))
}

export async function serveCalls() {
  const server = await serve(join(import.meta.dirname, 'serve-calls.ts'), [], {})
  return {
    stop: server.stop,
    load(options: Omit<CallLoad, 'url'>): Promise<CallLoadResult> {
      const argument = JSON.stringify({ url: server.url, ...options } satisfies CallLoad)
      const child = spawn(process.execPath, [join(import.meta.dirname, 'call-load.ts'), argument], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let output = ''
      child.stdout.on('data', (text) => {
        output += text
      })
      return new Promise((resolve, reject) => {
        child.once('exit', (code) =>
          code === 0 ? resolve(JSON.parse(output)) : reject(new Error('the call load failed')),
        )
      })
    },
    /** Waits for the outcomes of this many calls: the last turn of some is still transcribed when the stream closes. */
    async held(calls: number): Promise<Held> {
      const all: Held = { outcomes: [], bargeIns: [] }
      const until = performance.now() + 10_000
      for (; all.outcomes.length < calls && performance.now() < until; await wait(50)) {
        const { outcomes, bargeIns } = (await (await fetch(server.url)).json()) as Held
        all.outcomes.push(...outcomes)
        all.bargeIns.push(...bargeIns)
      }
      return all
    },
  }
}

export const limit = (what: string, value: number, unit: string, goal: number): Line => ({
  what,
  ours: `${format(value)} ${unit}`,
  floor: '',
  ratio: '',
  goal: `≤ ${goal} ${unit}`,
  met: value <= goal,
})

/** Fails its limit if nothing was measured. */
export const percentile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.MAX_SAFE_INTEGER
