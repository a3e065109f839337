/** Loudness of each track over time, from a WAV recording of the service (mu-law or PCM16). */
export interface Recording {
  seconds: number
  /** Levels from 0 to 1 by track, `momentsPerSecond` a second: the caller, then the agent. */
  tracks: [Float32Array, Float32Array]
}

export const momentsPerSecond = 100

/** The amplitude of a mu-law byte. */
const mulawLoudness = Float32Array.from({ length: 256 }, (_, byte) => {
  const flipped = ~byte & 0x7f
  return (((((flipped & 0x0f) << 3) + 0x84) << (flipped >> 4)) - 0x84) / 32_124
})

/** Undefined for other formats. Parsed here because decoding an hour in the browser takes a gigabyte. */
export function readRecording(file: ArrayBuffer): Recording | undefined {
  const view = new DataView(file)
  const word = (at: number) => String.fromCharCode(...new Uint8Array(file, at, 4))
  if (file.byteLength < 12 || word(0) !== 'RIFF' || word(8) !== 'WAVE') return undefined
  let format: { isMulaw: boolean; channels: number; rate: number } | undefined
  for (let at = 12; at + 8 <= file.byteLength; ) {
    const [id, length] = [word(at), view.getUint32(at + 4, true)]
    if (id === 'fmt ') {
      const code = view.getUint16(at + 8, true)
      if (code !== 1 && code !== 7) return undefined
      format = { isMulaw: code === 7, channels: view.getUint16(at + 10, true), rate: view.getUint32(at + 12, true) }
    }
    if (id === 'data' && format) {
      // The file of an interrupted call has no valid length in its header.
      const bytes = Math.min(length, file.byteLength - at - 8)
      return measure(new DataView(file, at + 8, bytes), format)
    }
    at += 8 + length + (length & 1)
  }
  return undefined
}

function measure(
  data: DataView,
  { isMulaw, channels, rate }: { isMulaw: boolean; channels: number; rate: number },
): Recording {
  const width = isMulaw ? 1 : 2
  const samples = Math.floor(data.byteLength / (width * channels))
  const perMoment = rate / momentsPerSecond
  const track = () => new Float32Array(Math.ceil(samples / perMoment))
  const tracks: [Float32Array, Float32Array] = [track(), track()]
  for (let i = 0; i < samples; i++) {
    const moment = Math.floor(i / perMoment)
    for (let channel = 0; channel < 2; channel++) {
      const at = (i * channels + Math.min(channel, channels - 1)) * width
      const loudness = isMulaw
        ? (mulawLoudness[data.getUint8(at)] as number)
        : Math.abs(data.getInt16(at, true)) / 32_768
      const values = tracks[channel] as Float32Array
      if (loudness > (values[moment] as number)) values[moment] = loudness
    }
  }
  return { seconds: samples / rate, tracks }
}

const quiet = 0.02
/** A longer pause ends an utterance. */
const longestPause = 1.5 * momentsPerSecond

/** The end of the utterance that starts here. */
export function endOfSpeech(track: Float32Array, from: number, latest: number): number {
  let last = Math.floor(from * momentsPerSecond)
  const end = Math.min(track.length, Math.ceil(latest * momentsPerSecond))
  for (let at = last; at < end && at - last < longestPause; at++) if ((track[at] as number) > quiet) last = at
  return last / momentsPerSecond
}
