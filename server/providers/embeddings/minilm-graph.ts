import { type Attribute, type GraphNode, type Tensor, writeOnnx } from './onnx-writer.ts'
import type { SafetensorsFile } from './safetensors.ts'

/** The part of the model's `config.json` that the graph needs. */
interface ModelConfig {
  hidden_size: number
  num_hidden_layers: number
  num_attention_heads: number
  layer_norm_eps: number
}

/** ONNX Runtime's own operators, each of which replaces many of ONNX. */
const microsoft = 'com.microsoft'

/**
 * A BERT that ends in one unit vector, the mean over its tokens. It multiplies bytes: the weights of an output share a
 * scale, and so do the activations of a matrix, or of a quarter of it where some are much larger than the others. Scales
 * for every 128 weights and activations (`MatMulNBits`) give cosines that deviate by 0.004 instead of 0.011, but take
 * 1.8 times the time. It takes one text at a time: without padding, a vector does not depend on the other texts of a
 * batch.
 */
export function minilmGraph(file: SafetensorsFile, config: ModelConfig): Buffer {
  const nodes: GraphNode[] = []
  const weights: Tensor[] = []
  const size = config.hidden_size
  const epsilon = { name: 'epsilon', float: config.layer_norm_eps }

  const add = (op: string, inputs: string[], outputs: string[], attributes: Attribute[] = [], domain = '') =>
    nodes.push({ op, inputs, outputs, attributes, domain })
  const keep = (name: string, type: Tensor['type'], shape: number[], values: ArrayBufferView) =>
    weights.push({ name, type, shape, values })
  const keepVector = (name: string) => keep(name, 'float32', file.shape(name), file.read(name))

  function dense(input: string, output: string, layers: string[]): void {
    const parts = layers.map((layer) => file.read(`${layer}.weight`))
    const columns = layers.reduce((sum, layer) => sum + (file.shape(`${layer}.weight`)[0] as number), 0)
    const rows = file.shape(`${layers[0]}.weight`)[1] as number
    const { bytes, scales } = quantize(joined(parts), rows, columns)
    keep(`${output}.scale`, 'float32', [columns], scales)
    keep(`${output}.bias`, 'float32', [columns], joined(layers.map((layer) => file.read(`${layer}.bias`))))
    const quarters = rows > size ? ['.0', '.1', '.2', '.3'] : ['']
    if (quarters.length > 1)
      split(
        input,
        quarters.map((quarter) => `${output}.in${quarter}`),
      )
    const height = rows / quarters.length
    for (const [i, quarter] of quarters.entries()) {
      const weight = bytes.slice(i * height * columns, (i + 1) * height * columns)
      keep(`${output}.weight${quarter}`, 'int8', [height, columns], weight)
      const from = quarters.length > 1 ? `${output}.in${quarter}` : input
      const bias = i === 0 ? [`${output}.bias`] : []
      const inputs = [from, `${output}.weight${quarter}`, `${output}.scale`, '', ...bias]
      add('DynamicQuantizeMatMul', inputs, [`${output}${quarter}`], [], microsoft)
    }
    if (quarters.length > 1)
      add(
        'Sum',
        quarters.map((quarter) => `${output}${quarter}`),
        [output],
      )
  }

  const split = (input: string, outputs: string[]) =>
    add('Split', [input], outputs, [
      { name: 'axis', int: -1 },
      { name: 'num_outputs', int: outputs.length },
    ])

  function addAndNormalize(input: string, residual: string, output: string, layer: string): void {
    keepVector(`${layer}.weight`)
    keepVector(`${layer}.bias`)
    add('SkipLayerNormalization', [input, residual, `${layer}.weight`, `${layer}.bias`], [output], [epsilon], microsoft)
  }

  // The word table is half of the model: it stays as it is on disk, two bytes per number.
  const words = 'embeddings.word_embeddings.weight'
  keep(words, 'float16', file.shape(words), file.bytes(words))
  const places = 'embeddings.position_embeddings.weight'
  keep(places, 'float32', file.shape(places), placesOfFirstSegment(file, places))
  add('Gather', [words, 'input_ids'], ['word.halves'])
  add('Cast', ['word.halves'], ['word'], [{ name: 'to', int: 1 }])
  add('Gather', [places, 'position_ids'], ['place'])
  addAndNormalize('word', 'place', 'x0', 'embeddings.LayerNorm')

  for (let layer = 0; layer < config.num_hidden_layers; layer++) {
    const from = `encoder.layer.${layer}`
    const name = (part: string) => `l${layer}.${part}`
    dense(
      `x${layer}`,
      name('qkv'),
      ['query', 'key', 'value'].map((part) => `${from}.attention.self.${part}`),
    )
    split(name('qkv'), [name('q'), name('k'), name('v')])
    const heads = [{ name: 'num_heads', int: config.num_attention_heads }]
    add('MultiHeadAttention', [name('q'), name('k'), name('v')], [name('attended')], heads, microsoft)
    dense(name('attended'), name('projected'), [`${from}.attention.output.dense`])
    addAndNormalize(name('projected'), `x${layer}`, name('middle'), `${from}.attention.output.LayerNorm`)
    dense(name('middle'), name('wide'), [`${from}.intermediate.dense`])
    // Computed with tanh: twice as fast as the exact form, with the same results.
    add('FastGelu', [name('wide')], [name('active')], [], microsoft)
    dense(name('active'), name('narrow'), [`${from}.output.dense`])
    addAndNormalize(name('narrow'), name('middle'), `x${layer + 1}`, `${from}.output.LayerNorm`)
  }

  keep('tokens.axis', 'int64', [1], new BigInt64Array([1n]))
  add('ReduceMean', [`x${config.num_hidden_layers}`, 'tokens.axis'], ['mean'], [{ name: 'keepdims', int: 0 }])
  add(
    'LpNormalization',
    ['mean'],
    ['vector'],
    [
      { name: 'p', int: 2 },
      { name: 'axis', int: -1 },
    ],
  )

  return writeOnnx({
    nodes,
    weights,
    inputs: [
      { name: 'input_ids', type: 'int32', shape: [1, 'length'] },
      { name: 'position_ids', type: 'int32', shape: [1, 'length'] },
    ],
    outputs: [{ name: 'vector', type: 'float32', shape: [1, size] }],
    operators: [
      { domain: '', version: 20 },
      { domain: microsoft, version: 1 },
    ],
  })
}

/** A single text is all first segment: what the model adds for that is added beforehand. */
function placesOfFirstSegment(file: SafetensorsFile, places: string): Float32Array {
  const segment = file.read('embeddings.token_type_embeddings.weight')
  const size = file.shape(places)[1] as number
  return file.read(places).map((value, i) => value + (segment[i % size] as number))
}

function joined(parts: Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Seven bits: where processors add two products in sixteen bits, eight would overflow. */
const largestByte = 63

/** The matrix by input instead of by output, in bytes, and the scale of each output that restores them. */
function quantize(values: Float32Array, rows: number, columns: number): { bytes: Int8Array; scales: Float32Array } {
  const bytes = new Int8Array(values.length)
  const scales = new Float32Array(columns)
  for (let column = 0; column < columns; column++) {
    const weights = values.subarray(column * rows, (column + 1) * rows)
    let largest = 1e-9
    for (const weight of weights) largest = Math.max(largest, Math.abs(weight))
    const scale = largest / largestByte
    scales[column] = scale
    for (let row = 0; row < rows; row++) bytes[row * columns + column] = Math.round((weights[row] as number) / scale)
  }
  return { bytes, scales }
}
