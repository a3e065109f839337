import type { Tensor as OnnxTensor } from 'onnxruntime-node'

type VectorOf = (tokens: number[]) => Promise<Float32Array>

/**
 * Runs a graph for one text at a time, without padding: a vector then does not depend on the other texts of a batch.
 * Its inputs have the names that Hugging Face's exports use. Its output is one vector, or one per token.
 */
export async function openSession(graph: Buffer | string, pooling: 'mean' | 'cls'): Promise<VectorOf> {
  const { InferenceSession, Tensor } = await import('onnxruntime-node')
  const options = {
    // Each text has one thread, and as many texts are under way as there are threads: the threads of one text would
    // wait for each other at every layer, which doubles the CPU time.
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  } as const
  const session = await (typeof graph === 'string'
    ? InferenceSession.create(graph, options)
    : InferenceSession.create(graph, options))
  const output = session.outputNames.includes('sentence_embedding') ? 'sentence_embedding' : session.outputNames[0]
  if (!output) throw new Error('the graph has no output')

  return async (tokens) => {
    const feeds = session.inputMetadata.map((input) => {
      const values = inputs[input.name]?.(tokens)
      if (!values) throw new Error(`the graph has an unknown input, ${input.name}`)
      const shape = [1, tokens.length]
      return [
        input.name,
        input.isTensor && input.type === 'int32'
          ? new Tensor('int32', Int32Array.from(values), shape)
          : new Tensor('int64', BigInt64Array.from(values, BigInt), shape),
      ] as const
    })
    const found = (await session.run(Object.fromEntries(feeds)))[output] as OnnxTensor
    const data = Float32Array.from(found.data as Float32Array)
    return unit(found.dims.length === 3 ? pooled(data, found.dims[2] as number, pooling) : data)
  }
}

const inputs: Record<string, (tokens: number[]) => number[]> = {
  input_ids: (tokens) => tokens,
  attention_mask: (tokens) => tokens.map(() => 1),
  token_type_ids: (tokens) => tokens.map(() => 0),
  position_ids: (tokens) => tokens.map((_, position) => position),
}

function pooled(data: Float32Array, size: number, pooling: 'mean' | 'cls'): Float32Array {
  if (pooling === 'cls') return data.slice(0, size)
  const sum = new Float32Array(size)
  for (let i = 0; i < data.length; i++) sum[i % size] = (sum[i % size] as number) + (data[i] as number)
  return sum
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}
