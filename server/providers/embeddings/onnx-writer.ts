/** Just enough of ONNX's file format (protocol buffers) to write a graph of our own. */

export type Attribute = { name: string } & ({ int: number } | { float: number })

export interface GraphNode {
  op: string
  inputs: string[]
  outputs: string[]
  /** The operator set: empty for ONNX's own. */
  domain: string
  attributes: Attribute[]
}

const elementTypes = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7, float16: 10 } as const
type ElementType = keyof typeof elementTypes

export interface Tensor {
  name: string
  type: ElementType
  shape: number[]
  values: ArrayBufferView
}

interface GraphValue {
  name: string
  type: ElementType
  /** A name stands for a length that is known only at run time. */
  shape: (number | string)[]
}

interface Graph {
  nodes: GraphNode[]
  weights: Tensor[]
  inputs: GraphValue[]
  outputs: GraphValue[]
  operators: { domain: string; version: number }[]
}

function varint(value: number | bigint): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  do {
    bytes.push(Number(rest & 127n) | (rest > 127n ? 128 : 0))
    rest >>= 7n
  } while (rest > 0n)
  return Buffer.from(bytes)
}

const number = (field: number, value: number) => Buffer.concat([varint(field << 3), varint(value)])
const bytes = (field: number, content: Uint8Array | string) => {
  const body = Buffer.from(content as string)
  return Buffer.concat([varint((field << 3) | 2), varint(body.length), body])
}
const message = (field: number, ...parts: Buffer[]) => bytes(field, Buffer.concat(parts))
const float = (field: number, value: number) => {
  const body = Buffer.alloc(4)
  body.writeFloatLE(value)
  return Buffer.concat([varint((field << 3) | 5), body])
}

function attribute(given: Attribute): Buffer {
  if ('int' in given) return message(5, bytes(1, given.name), number(3, given.int), number(20, 2))
  return message(5, bytes(1, given.name), float(2, given.float), number(20, 1))
}

const node = ({ op, inputs, outputs, domain, attributes }: GraphNode) =>
  message(
    1,
    ...inputs.map((name) => bytes(1, name)),
    ...outputs.map((name) => bytes(2, name)),
    bytes(4, op),
    ...attributes.map(attribute),
    bytes(7, domain),
  )

function tensor({ name, type, shape, values }: Tensor): Buffer {
  const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  return message(
    5,
    ...shape.map((length) => number(1, length)),
    number(2, elementTypes[type]),
    bytes(8, name),
    bytes(9, raw),
  )
}

function value(field: number, { name, type, shape }: GraphValue): Buffer {
  const lengths = shape.map((length) => message(1, typeof length === 'number' ? number(1, length) : bytes(2, length)))
  return message(field, bytes(1, name), message(2, message(1, number(1, elementTypes[type]), message(2, ...lengths))))
}

/** The bytes of an ONNX model. */
export function writeOnnx({ nodes, weights, inputs, outputs, operators }: Graph): Buffer {
  return Buffer.concat([
    number(1, 9),
    message(
      7,
      ...nodes.map(node),
      bytes(2, 'graph'),
      ...weights.map(tensor),
      ...inputs.map((input) => value(11, input)),
      ...outputs.map((output) => value(12, output)),
    ),
    ...operators.map(({ domain, version }) => message(8, bytes(1, domain), number(2, version))),
  ])
}
