/**
 * Dot products of signed bytes, sixteen at a time: WebAssembly has the instructions that JavaScript lacks, and takes a
 * tenth of the time (`bench/search.ts` prints it). The module is small enough to be assembled here.
 */
interface DotProducts {
  readonly memory: Memory
  /**
   * Products of the query at `query` with each of the `count` vectors at `vectors`, as 32-bit integers to `out`. All
   * vectors have `bytes` bytes, a multiple of sixteen, each from -127 to 127. Addresses are byte offsets into the
   * memory.
   */
  run(query: number, vectors: number, count: number, bytes: number, out: number): void
}

interface Memory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

/** The part of WebAssembly that is used here: TypeScript declares it only together with the DOM. */
declare const WebAssembly: {
  Memory: new (limits: { initial: number; maximum: number }) => Memory
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: Record<string, unknown> }
}

export const pageBytes = 64 * 1024

export function createDotProducts(maxBytes: number): DotProducts {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: Math.ceil(maxBytes / pageBytes) })
  const { exports } = new WebAssembly.Instance(compiled(), { env: { memory } })
  return { memory, run: exports.run as DotProducts['run'] }
}

let module: object | undefined
function compiled(): object {
  module ??= new WebAssembly.Module(assemble())
  return module
}

const i32 = 0x7f
const v128 = 0x7b
const nothing = 0x40

/** The parameters, followed by four variables. */
const [query, vectors, count, bytes, out, offset, sum, left, right] = [0, 1, 2, 3, 4, 5, 6, 7, 8]

const get = (local: number) => [0x20, local]
const set = (local: number) => [0x21, local]
const constant = (value: number) => [0x41, ...signed(value)]
const add = [0x6a]
const simd = (code: number, ...immediates: number[]) => [0xfd, ...unsigned(code), ...immediates]
const loadVector = simd(0x00, 0, 0)
const zeroVector = simd(0x0c, ...new Array(16).fill(0))
const multiplyLow = simd(0x9c)
const multiplyHigh = simd(0x9d)
const add16 = simd(0x8e)
const add32 = simd(0xae)
/** Eight 16-bit numbers to four 32-bit ones, neighbours added. */
const addPairs = simd(0x7e)
const extract32 = (index: number) => simd(0x1b, index)
const store32 = [0x36, 2, 0]
const lessThan = [0x49]
const repeatIf = [0x0d, 0]
const increase = (local: number, by: number[]) => [...get(local), ...by, ...add, ...set(local)]
const loop = (...body: number[][]) => [0x03, nothing, ...body.flat(), 0x0b]
const when = (condition: number[], body: number[]) => [...condition, 0x04, nothing, ...body, 0x0b]

function assemble(): Uint8Array<ArrayBuffer> {
  const load = (address: number, to: number) => [...get(address), ...get(offset), ...add, ...loadVector, ...set(to)]
  const both = [...get(left), ...get(right)]
  const oneVector = [
    ...[...constant(0), ...set(offset), ...zeroVector, ...set(sum)],
    ...loop(
      [...load(query, left), ...load(vectors, right)],
      // Two products of bytes fit into sixteen bits, and so does their sum: 2 · 127 · 127 < 2^15.
      [...get(sum), ...both, ...multiplyLow, ...both, ...multiplyHigh, ...add16, ...addPairs, ...add32, ...set(sum)],
      [...increase(offset, constant(16)), ...get(offset), ...get(bytes), ...lessThan, ...repeatIf],
    ),
    ...[...get(out), ...[0, 1, 2, 3].flatMap((i) => [...get(sum), ...extract32(i), ...(i > 0 ? add : [])]), ...store32],
  ]
  const nextVector = [
    ...[...increase(out, constant(4)), ...increase(vectors, get(bytes)), ...increase(count, constant(-1))],
    ...[...get(count), ...repeatIf],
  ]
  const variables = [2, 1, i32, 3, v128]
  const body = [...variables, ...when(get(count), loop(oneVector, nextVector)), 0x0b]
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 5, i32, i32, i32, i32, i32, 0]),
    ...section(2, [1, ...text('env'), ...text('memory'), 0x02, 0x00, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...text('run'), 0x00, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ])
}

const section = (id: number, content: number[]) => [id, ...unsigned(content.length), ...content]
const text = (word: string) => [word.length, ...Buffer.from(word)]

/** LEB128, WebAssembly's encoding of integers. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

function signed(value: number): number[] {
  const low = value & 0x7f
  const rest = value >> 7
  const isDone = (rest === 0 && !(low & 0x40)) || (rest === -1 && low & 0x40)
  return isDone ? [low] : [low | 0x80, ...signed(rest)]
}
