import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fromPcm16 } from '../../../providers/speech/audio.ts'
import { type Encoding, frameMs, sampleRateOf } from '../../../providers/speech/contract.ts'
import { encodeMulaw, mulawSilence } from '../../../providers/speech/mulaw.ts'
import { wavHeader, wavHeaderBytes } from '../../../providers/speech/wav.ts'

/**
 * Records both sides of a call into a stereo mu-law WAV file: caller on the left track, agent on the right. Browsers
 * play it without conversion.
 */
export interface Recorder {
  /** Writes one frame per track; undefined is recorded as silence. */
  write(caller: Uint8Array | undefined, agent: Uint8Array | undefined): void
  /** Flushes the buffer and writes the final length into the header. Null if writing to the disk failed. */
  finish(): Promise<{ file: string; durationMs: number } | null>
}

/** Audio that a crash may lose. */
const flushEveryMs = 500
/** When the disk is further behind than this, the recording is abandoned to bound memory; the call continues. */
const maxBufferedMs = 30_000

export async function startRecording(file: string, encoding: Encoding): Promise<Recorder> {
  const sampleRate = sampleRateOf[encoding]
  const samples = (sampleRate * frameMs) / 1000
  const format = { encoding: 'mulaw' as const, sampleRate, channels: 2 }
  const toMulaw = (frame: Uint8Array) => (encoding === 'mulaw-8000' ? frame : encodeMulaw(fromPcm16(frame)))
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
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

/** Writes the actual length into the WAV header. Needed when the call or the process ended before `finish`. */
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
    // An interrupted write may have left part of a sample.
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
