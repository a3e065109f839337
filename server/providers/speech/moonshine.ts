import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Tensor } from 'onnxruntime-node'

/** Moonshine tiny, whose weights come with its npm package: 16 kHz samples between -1 and 1 in, English text out. */
export interface Recogniser {
  recognise(samples: Float32Array): Promise<string>
}

const layers = 6
const heads = 8
const headSize = 36
const firstToken = 1
const lastToken = 2

/** People say fewer tokens per second than this; a model that produces more has begun to repeat itself. */
const tokensPerSecond = 6.5
/** The encoder's convolutions need this much. */
const fewestSamples = 8_000

export async function loadMoonshine(threads: number): Promise<Recogniser> {
  const { InferenceSession, Tensor } = await import('onnxruntime-node')
  const { default: tokenizer } = await import('llama-tokenizer-js')
  const weights = join(
    dirname(fileURLToPath(import.meta.resolve('@moonshine-ai/moonshine-js'))),
    'model/tiny/quantized',
  )
  const options = {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    logSeverityLevel: 3 as const,
    // Idle threads sleep: spinning would take the processor from the calls.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  }
  const [encoder, decoder] = await Promise.all([
    InferenceSession.create(join(weights, 'encoder_model.onnx'), options),
    InferenceSession.create(join(weights, 'decoder_model_merged.onnx'), options),
  ])
  const empty = () => new Tensor('float32', new Float32Array(0), [0, heads, 1, headSize])
  const names = Array.from({ length: layers }, (_, layer) =>
    ['decoder', 'encoder'].flatMap((side) => ['key', 'value'].map((part) => `${layer}.${side}.${part}`)),
  ).flat()

  return {
    async recognise(samples) {
      let input = samples
      if (samples.length < fewestSamples) {
        input = new Float32Array(fewestSamples)
        input.set(samples)
      }
      const { last_hidden_state: heard } = await encoder.run({
        input_values: new Tensor('float32', input, [1, input.length]),
      })
      const past: Record<string, Tensor> = Object.fromEntries(names.map((name) => [`past_key_values.${name}`, empty()]))
      const tokens: number[] = []
      const atMost = Math.ceil((input.length / 16_000) * tokensPerSecond)
      let token = firstToken
      while (tokens.length < atMost) {
        const first = tokens.length === 0
        const answer = await decoder.run({
          input_ids: new Tensor('int64', BigInt64Array.of(BigInt(token)), [1, 1]),
          encoder_hidden_states: heard as Tensor,
          use_cache_branch: new Tensor('bool', Uint8Array.of(first ? 0 : 1), [1]),
          ...past,
        })
        token = indexOfLargest((answer.logits as Tensor).data as Float32Array)
        if (token === lastToken) break
        tokens.push(token)
        for (const name of names)
          if (first || name.includes('decoder')) past[`past_key_values.${name}`] = answer[`present.${name}`] as Tensor
      }
      return inTodaysSpelling(tokenizer.decode(tokens, false, false).trim())
    },
  }
}

/**
 * The model also learned spellings of the nineteenth century; a rule that waits for "bye" or "today" must still match.
 */
export const inTodaysSpelling = (text: string): string =>
  text.replaceAll(/\b(good)-bye?\b/gi, '$1bye').replaceAll(/\b(to)-(day|morrow|night)\b/gi, '$1$2')

function indexOfLargest(values: Float32Array): number {
  let largest = 0
  for (let i = 1; i < values.length; i++) if ((values[i] as number) > (values[largest] as number)) largest = i
  return largest
}
