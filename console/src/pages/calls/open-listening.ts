import workletAddress from '../../records/calls/audio.worklet.ts?worker&url'

/** The rate of the playback worklet. */
const playbackRate = 16_000

export interface ListeningAudio {
  /** A frame of one side, in the encoding of the call. */
  play(track: number, frame: Uint8Array): void
  close(): void
}

/** Plays both sides of a call, each through a buffer of its own. */
export async function openListening(encoding: string): Promise<ListeningAudio> {
  const context = new AudioContext({ sampleRate: playbackRate })
  try {
    await context.audioWorklet.addModule(workletAddress)
  } catch (error) {
    void context.close()
    throw error
  }
  const tracks = [0, 1].map(() => {
    const node = new AudioWorkletNode(context, 'playback', { numberOfInputs: 0, outputChannelCount: [1] })
    node.connect(context.destination)
    return node
  })
  // This runs after a click, so the browser allows audio.
  if (context.state === 'suspended') void context.resume()
  const decode = encoding === 'mulaw-8000' ? fromMulaw : fromPcm
  return {
    play(track, frame) {
      const samples = decode(frame)
      tracks[track]?.port.postMessage(samples.buffer, [samples.buffer])
    },
    close: () => void context.close(),
  }
}

const fromPcm = (frame: Uint8Array): Int16Array<ArrayBuffer> => new Int16Array(frame.slice().buffer)

/** Each sample twice: 8 kHz to 16 kHz. Telephone audio has no high frequencies that this would distort. */
function fromMulaw(frame: Uint8Array): Int16Array<ArrayBuffer> {
  const samples = new Int16Array(frame.length * 2)
  for (const [index, code] of frame.entries()) samples.fill(decoded(code), index * 2, index * 2 + 2)
  return samples
}

function decoded(code: number): number {
  const bits = ~code & 0xff
  const magnitude = ((((bits & 0x0f) << 3) + 0x84) << ((bits & 0x70) >> 4)) - 0x84
  return bits & 0x80 ? -magnitude : magnitude
}
