import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fromPcm16 } from '../../../providers/speech/audio.ts'
import { type Encoding, frameMs, sampleRateOf } from '../../../providers/speech/contract.ts'
import { encodeMulaw, mulawSilence } from '../../../providers/speech/mulaw.ts'
import { wavHeader, wavHeaderBytes } from '../../../providers/speech/wav.ts'

/** Both sides of a call as it runs: a stereo mu-law WAV, the caller on the left. Browsers play it as it is. */
export interface Recorder {
  /** One frame of each side; a side that was silent has none. */
  write(caller: Uint8Array | undefined, agent: Uint8Array | undefined): void
  /** Writes what is left and the true length; null when the disk did not take it. */
  finish(): Promise<{ file: string; durationMs: number } | null>
}

/** What a crash may cost. */
const flushEveryMs = 500
/** A disk that is further behind than this is given up: the call and the memory matter more. */
const maxBufferedMs = 30_000

export async function startRecording(file: string, encoding: Encoding): Promise<Recorder> {
  const sampleRate = sampleRateOf[encoding]
  const samples = (sampleRate * frameMs) / 1000
  const format = { encoding: 'mulaw' as const, sampleRate, channels: 2 }
  const toMulaw = (frame: Uint8Array) => (encoding === 'mulaw-8000' ? frame : encodeMulaw(fromPcm16(frame)))
  await mkdir(dirname(file), { recursive: true })
  const handle = await open(file, 'w')
  await handle.write(wavHeader(format))

  let frames = 0
  let buffered: Uint8Array[] = []
  let pendingWrites = 0
  let writing: Promise<void> = Promise.resolve()
  let failed = false

  function flush(): void {
    const block = Buffer.concat(buffered)
    buffered = []
    pendingWrites++
    writing = writing
      .then(() => writeAll(handle, block))
      .catch(fail)
      .finally(() => pendingWrites--)
  }

  function fail(): void {
    failed = true
  }

  return {
    write(caller, agent) {
      if (failed) return
      const both = new Uint8Array(2 * samples).fill(mulawSilence)
      const [left, right] = [caller && toMulaw(caller), agent && toMulaw(agent)]
      for (let i = 0; i < samples; i++) {
        if (left) both[2 * i] = left[i] as number
        if (right) both[2 * i + 1] = right[i] as number
      }
      buffered.push(both)
      frames++
      if (pendingWrites * flushEveryMs >= maxBufferedMs) fail()
      else if (buffered.length * frameMs >= flushEveryMs) flush()
    },
    async finish() {
      flush()
      await writing
      await handle.close().catch(fail)
      if (failed || !(await repairRecording(file))) return null
      return { file, durationMs: frames * frameMs }
    },
  }
}

async function writeAll(handle: FileHandle, block: Buffer): Promise<void> {
  for (let at = 0; at < block.length; ) at += (await handle.write(block, at)).bytesWritten
}

/** Writes a recording's true length into its header: for one whose call or process ended before it could do so. */
export async function repairRecording(file: string): Promise<{ durationMs: number } | undefined> {
  const handle = await open(file, 'r+').catch(() => undefined)
  if (!handle) return undefined
  try {
    const header = Buffer.alloc(wavHeaderBytes)
    const { bytesRead } = await handle.read(header, 0, wavHeaderBytes, 0)
    if (bytesRead < wavHeaderBytes || header.toString('latin1', 0, 4) !== 'RIFF') return undefined
    const sampleRate = header.readUInt32LE(24)
    const frame = header.readUInt16LE(32)
    const { size } = await handle.stat()
    // A write that was cut off in the middle may have left half a sample.
    const length = Math.floor((size - wavHeaderBytes) / frame) * frame
    if (header.readUInt32LE(40) !== length) {
      await handle.truncate(wavHeaderBytes + length)
      await handle.write(wavHeader({ encoding: 'mulaw', sampleRate, channels: 2 }, length), 0, wavHeaderBytes, 0)
    }
    return { durationMs: Math.round((length / frame / sampleRate) * 1000) }
  } finally {
    await handle.close()
  }
}
