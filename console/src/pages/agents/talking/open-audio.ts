import workletAddress from './audio.worklet.ts?worker&url'

const lineRate = 16_000

export interface Audio {
  /** 20 ms of PCM16 at 16 kHz of the agent's voice. */
  play(frame: ArrayBuffer): void
  /** An utterance is complete: what is held of it is played, however little it is. */
  flush(): void
  /** Throws away what was not played yet. */
  clear(): void
  setMuted(isMuted: boolean): void
  close(): void
}

export interface Listening {
  onFrame(frame: ArrayBuffer): void
  /** 0 to 1, many times a second. */
  onLevel(who: 'caller' | 'agent', level: number): void
  /** The microphone was pulled out or taken away. */
  onLost(): void
}

/** Why there is no microphone, in words that say what to do. */
export class NoMicrophone extends Error {}

async function openMicrophone(): Promise<MediaStream> {
  if (!navigator.mediaDevices?.getUserMedia)
    throw new NoMicrophone(
      'Browsers give the microphone only to pages with https, or on localhost. Open the console at such an address.',
    )
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true },
    })
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    if (name === 'NotAllowedError' || name === 'SecurityError')
      throw new NoMicrophone(
        'The microphone is blocked for this page. Allow it with the icon beside the address, then try again.',
      )
    if (name === 'NotFoundError' || name === 'OverconstrainedError')
      throw new NoMicrophone('No microphone was found. Plug one in, then try again, or write to the agent instead.')
    if (name === 'NotReadableError' || name === 'AbortError')
      throw new NoMicrophone('Another program holds the microphone. Close it there, then try again.')
    throw error
  }
}

/** Microphone and loudspeaker, both at the line's own rate. */
export async function openAudio({ onFrame, onLevel, onLost }: Listening): Promise<Audio> {
  const stream = await openMicrophone()
  const contexts: AudioContext[] = []
  const stop = () => {
    for (const track of stream.getTracks()) track.stop()
    for (const context of contexts) void context.close()
  }
  try {
    const out = new AudioContext({ sampleRate: lineRate })
    contexts.push(out)
    await out.audioWorklet.addModule(workletAddress)
    const playback = new AudioWorkletNode(out, 'playback', { numberOfInputs: 0, outputChannelCount: [1] })
    playback.port.onmessage = ({ data }: MessageEvent<{ level: number }>) => onLevel('agent', data.level)
    playback.connect(out.destination)

    const { context, source } = await sourceOf(stream, out)
    if (context !== out) contexts.push(context)
    const capture = new AudioWorkletNode(context, 'capture', { numberOfOutputs: 0 })
    capture.port.onmessage = ({ data }: MessageEvent<{ frame: ArrayBuffer; level: number }>) => {
      onFrame(data.frame)
      onLevel('caller', data.level)
    }
    source.connect(capture)
    stream.getAudioTracks()[0]?.addEventListener('ended', onLost)
    // Somebody pressed a button to come here, so this is allowed.
    for (const each of contexts) if (each.state === 'suspended') void each.resume()
    return {
      play: (frame) => playback.port.postMessage(frame, [frame]),
      flush: () => playback.port.postMessage('flush'),
      clear: () => playback.port.postMessage('clear'),
      setMuted(isMuted) {
        // A track that is switched off goes on as silence, which is what the line wants to hear.
        for (const track of stream.getAudioTracks()) track.enabled = !isMuted
      },
      close: stop,
    }
  } catch (error) {
    stop()
    throw error
  }
}

/** Some browsers do not let a microphone into a context of another rate: it gets one of its own there. */
async function sourceOf(stream: MediaStream, preferred: AudioContext) {
  try {
    return { context: preferred, source: preferred.createMediaStreamSource(stream) }
  } catch {
    const context = new AudioContext()
    await context.audioWorklet.addModule(workletAddress)
    return { context, source: context.createMediaStreamSource(stream) }
  }
}
