/**
 * Dot products of signed bytes, sixteen at a time: WebAssembly has the instructions that JavaScript lacks, and takes a
 * tenth of the time (`bench/search.ts` prints it). The module is small enough to be assembled here.
 */
interface DotProducts {
  readonly memory: Memory
  /**
   * Products of the query at `query` with each of the `count` vectors at `vectors`, as 32-bit integers to `out`. All
   * vectors have `bytes` bytes, a multiple of `step`; the query has as many 16-bit integers, so that only the vectors
   * have to be widened. Addresses are byte offsets into the memory. The count is rounded up to a multiple of `atOnce`:
   * there has to be memory behind the last vector and the last product.
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

/** Vectors compared at once: each part of the query is loaded once for all of them. */
export const atOnce = 4

/** Bytes of each vector between two checks whether it ends. */
export const step = 32

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

/** The parameters, followed by the variables: addresses, then vectors of numbers. */
const [query, vectors, count, bytes, out, place, end] = [0, 1, 2, 3, 4, 5, 6]
/** Where each of the vectors is read. */
const reading = Array.from({ length: atOnce }, (_, i) => end + 1 + i)
const part = end + 1 + atOnce
const sums = Array.from({ length: atOnce }, (_, i) => part + 1 + i)
const variables = [2, 2 + atOnce, i32, 1 + atOnce, v128]

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
const store32 = (offset: number) => [0x36, 2, offset]
const lessThan = [0x49]
/** Of signed numbers. */
const greaterThan = [0x4a]
const repeatIf = [0x0d, 0]
const increase = (local: number, by: number[]) => [...get(local), ...by, ...add, ...set(local)]
const loop = (...body: number[][]) => [0x03, nothing, ...body.flat(), 0x0b]
const when = (condition: number[], body: number[]) => [...condition, 0x04, nothing, ...body, 0x0b]

function assemble(): Uint8Array<ArrayBuffer> {
  /** Eight numbers of the query with eight of each vector, those of this group of eight. */
  const addProducts = (group: number) => [
    ...[...get(place), ...loadVector(16 * group), ...set(part)],
    ...reading.flatMap((vector, i) => [
      ...[...get(vector), ...loadBytes(8 * group), ...get(part), ...multiplyAndAddPairs],
      ...[...get(sums[i] as number), ...add32, ...set(sums[i] as number)],
    ]),
  ]
  const compareVectors = [
    ...[...get(query), ...set(place), ...get(vectors), ...set(reading[0] as number)],
    ...reading.slice(1).flatMap((vector, i) => [...get(reading[i] as number), ...get(bytes), ...add, ...set(vector)]),
    ...[...get(vectors), ...get(bytes), ...add, ...set(end)],
    ...sums.flatMap((sum) => [...zeroVector, ...set(sum)]),
    ...loop(
      Array.from({ length: step / 8 }, (_, group) => addProducts(group)).flat(),
      [...increase(place, constant(2 * step)), ...reading.flatMap((vector) => increase(vector, constant(step)))],
      [...get(reading[0] as number), ...get(end), ...lessThan, ...repeatIf],
    ),
    ...sums.flatMap((sum, i) => [
      ...get(out),
      ...[0, 1, 2, 3].flatMap((number) => [...get(sum), ...extract32(number), ...(number > 0 ? add : [])]),
      ...store32(4 * i),
    ]),
    // The last of them ends where the next ones begin.
    ...[...get(reading.at(-1) as number), ...set(vectors)],
  ]
  const nextVectors = [
    ...[...increase(out, constant(4 * atOnce)), ...increase(count, constant(-atOnce))],
    ...[...get(count), ...constant(0), ...greaterThan, ...repeatIf],
  ]
  const body = [...variables, ...when(get(count), loop(compareVectors, nextVectors)), 0x0b]
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
