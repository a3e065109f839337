/**
 * Dot products of signed bytes, sixteen at a time: WebAssembly has the instructions that JavaScript lacks, and takes a
 * tenth of the time (`bench/search.ts` prints it). The module is small enough to be assembled here.
 */
interface DotProducts {
  readonly memory: Memory
  /**
   * Products of the query at `query` with each of the `count` vectors at `vectors`, as 32-bit integers to `out`. All
   * vectors have `bytes` bytes, a multiple of sixteen; the query has as many 16-bit integers, so that only the vectors
   * have to be widened. Addresses are byte offsets into the memory.
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

/** The parameters, followed by four variables: two addresses and two sums. */
const [query, vectors, count, bytes, out, place, end, even, odd] = [0, 1, 2, 3, 4, 5, 6, 7, 8]

const get = (local: number) => [0x20, local]
const set = (local: number) => [0x21, local]
const constant = (value: number) => [0x41, ...signed(value)]
const add = [0x6a]
const simd = (code: number, ...immediates: number[]) => [0xfd, ...unsigned(code), ...immediates]
const loadVector = (offset: number) => simd(0x00, 0, offset)
/** Eight bytes as eight 16-bit numbers. */
const loadBytes = (offset: number) => simd(0x01, 0, offset)
const zeroVector = simd(0x0c, ...new Array(16).fill(0))
const add32 = simd(0xae)
/** Products of eight 16-bit numbers, neighbours added to four 32-bit ones. */
const multiplyAndAddPairs = simd(0xba)
const extract32 = (index: number) => simd(0x1b, index)
const store32 = [0x36, 2, 0]
const lessThan = [0x49]
const repeatIf = [0x0d, 0]
const increase = (local: number, by: number[]) => [...get(local), ...by, ...add, ...set(local)]
const loop = (...body: number[][]) => [0x03, nothing, ...body.flat(), 0x0b]
const when = (condition: number[], body: number[]) => [...condition, 0x04, nothing, ...body, 0x0b]

function assemble(): Uint8Array<ArrayBuffer> {
  const addProducts = (half: number, sum: number) => [
    ...[...get(vectors), ...loadBytes(8 * half), ...get(place), ...loadVector(16 * half)],
    ...[...multiplyAndAddPairs, ...get(sum), ...add32, ...set(sum)],
  ]
  const oneVector = [
    ...[...get(query), ...set(place), ...get(vectors), ...get(bytes), ...add, ...set(end)],
    ...[...zeroVector, ...set(even), ...zeroVector, ...set(odd)],
    ...loop(
      // Two sums: an addition need not wait for the one before it.
      [...addProducts(0, even), ...addProducts(1, odd)],
      [...increase(place, constant(32)), ...increase(vectors, constant(16))],
      [...get(vectors), ...get(end), ...lessThan, ...repeatIf],
    ),
    ...[...get(even), ...get(odd), ...add32, ...set(even)],
    ...[
      ...get(out),
      ...[0, 1, 2, 3].flatMap((i) => [...get(even), ...extract32(i), ...(i > 0 ? add : [])]),
      ...store32,
    ],
  ]
  const nextVector = [
    ...[...increase(out, constant(4)), ...increase(count, constant(-1))],
    ...[...get(count), ...repeatIf],
  ]
  const variables = [2, 2, i32, 2, v128]
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
