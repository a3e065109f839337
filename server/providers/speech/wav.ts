/** RIFF WAVE, as far as speech needs it. */

interface WavFormat {
  encoding: 'pcm16' | 'mulaw'
  sampleRate: number
  channels: number
}

export const wavHeaderBytes = 44

/** For a file whose length is not known yet: players then play to its end. */
const unknownLength = 0xffffffff - 36

export function wavHeader({ encoding, sampleRate, channels }: WavFormat, dataBytes = unknownLength): Buffer {
  const bytesPerSample = encoding === 'pcm16' ? 2 : 1
  const header = Buffer.alloc(wavHeaderBytes)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(dataBytes + 36, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(encoding === 'pcm16' ? 1 : 7, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(sampleRate, 24)
  header.writeUInt32LE(sampleRate * channels * bytesPerSample, 28)
  header.writeUInt16LE(channels * bytesPerSample, 32)
  header.writeUInt16LE(bytesPerSample * 8, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(dataBytes, 40)
  return header
}

export const wavFile = (format: WavFormat, data: Uint8Array): Buffer =>
  Buffer.concat([wavHeader(format, data.length), data])

/** The format and the audio of a file; undefined unless it is a file that this service or flite writes. */
export function readWav(file: Uint8Array): { format: WavFormat; data: Uint8Array } | undefined {
  const view = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  if (view.length < 12 || view.toString('latin1', 0, 4) !== 'RIFF' || view.toString('latin1', 8, 12) !== 'WAVE')
    return undefined
  let format: WavFormat | undefined
  for (let at = 12; at + 8 <= view.length; ) {
    const id = view.toString('latin1', at, at + 4)
    const length = view.readUInt32LE(at + 4)
    if (id === 'fmt ' && at + 24 <= view.length) {
      const code = view.readUInt16LE(at + 8)
      if (code !== 1 && code !== 7) return undefined
      format = {
        encoding: code === 1 ? 'pcm16' : 'mulaw',
        channels: view.readUInt16LE(at + 10),
        sampleRate: view.readUInt32LE(at + 12),
      }
    }
    if (id === 'data' && format) return { format, data: view.subarray(at + 8, at + 8 + length) }
    at += 8 + length + (length & 1)
  }
  return undefined
}
