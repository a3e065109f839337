import workletAddress from '../../../records/calls/audio.worklet.ts?worker&url'

const lineRate = 16_000

export interface Audio {
  /** A 20 ms frame of the agent's voice, PCM16 at 16 kHz. */
  play(frame: ArrayBuffer): void
  /** Marks the end of an utterance: the rest of the buffer is played. */
  flush(): void
  /** Drops audio that was not played yet. */
  clear(): void
  setMuted(isMuted: boolean): void
  close(): void
}

interface Listening {
  onFrame(frame: ArrayBuffer): void
  /** 0 to 1, many times a second. */
  onLevel(who: 'caller' | 'agent', level: number): void
  /** The microphone was disconnected or its permission revoked. */
  onLost(): void
}

/** Why no microphone is available, and what to do. */
class NoMicrophone extends Error {}

async function openMicrophone(): Promise<MediaStream> {
  if (!navigator.mediaDevices?.getUserMedia)
    throw new NoMicrophone(
      'Browsers allow the microphone only over HTTPS or on localhost. Open the console at such an address.',
    )
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true },
    })
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    if (name === 'NotAllowedError' || name === 'SecurityError')
      throw new NoMicrophone('The microphone is blocked for this page. Allow it in the address bar, then try again.')
    if (name === 'NotFoundError' || name === 'OverconstrainedError')
      throw new NoMicrophone('No microphone found. Connect one and try again, or chat with the agent instead.')
    if (name === 'NotReadableError' || name === 'AbortError')
      throw new NoMicrophone('Another program is using the microphone. Close it, then try again.')
    throw error
  }
}

/** Microphone and speaker, both at the sample rate of the call. */
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
    // This runs after a click, so the browser allows audio.
    for (const each of contexts) if (each.state === 'suspended') void each.resume()
    return {
      play: (frame) => playback.port.postMessage(frame, [frame]),
      flush: () => playback.port.postMessage('flush'),
      clear: () => playback.port.postMessage('clear'),
      setMuted(isMuted) {
        // A disabled track sends silence, which keeps the call alive.
        for (const track of stream.getAudioTracks()) track.enabled = !isMuted
      },
      close: stop,
    }
  } catch (error) {
    stop()
    throw error
  }
}

/** Some browsers require the microphone's own sample rate, so it gets a separate context. */
async function sourceOf(stream: MediaStream, preferred: AudioContext) {
  try {
    return { context: preferred, source: preferred.createMediaStreamSource(stream) }
  } catch {
    const context = new AudioContext()
    await context.audioWorklet.addModule(workletAddress)
    return { context, source: context.createMediaStreamSource(stream) }
  }
}
