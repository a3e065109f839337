/**
 * Runs on the browser's audio thread. `capture` resamples the microphone to 20 ms frames of PCM16 at 16 kHz. `playback`
 * plays such frames without gaps and can drop the ones that were not played yet.
 */

declare const sampleRate: number
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void
declare class AudioWorkletProcessor {
  readonly port: MessagePort
}

const lineRate = 16_000
const frameSamples = 320

class Capture extends AudioWorkletProcessor {
  private readonly step = sampleRate / lineRate
  private frame = new Int16Array(frameSamples)
  private filled = 0
  private sum = 0
  private weight = 0
  private loudest = 0

  process([input]: Float32Array[][]): boolean {
    for (const sample of input?.[0] ?? []) this.take(sample)
    return true
  }

  /** Averages the input samples of each output sample, which is also a low-pass filter for 16 kHz. */
  private take(sample: number): void {
    let left = 1
    while (this.weight + left >= this.step) {
      const part = this.step - this.weight
      this.give((this.sum + sample * part) / this.step)
      this.sum = 0
      this.weight = 0
      left -= part
      if (left <= 1e-9) return
    }
    this.sum += sample * left
    this.weight += left
  }

  private give(value: number): void {
    const clipped = Math.max(-1, Math.min(1, value))
    this.loudest = Math.max(this.loudest, Math.abs(clipped))
    this.frame[this.filled++] = Math.round(clipped * 32_767)
    if (this.filled < frameSamples) return
    this.port.postMessage({ frame: this.frame.buffer, level: this.loudest }, [this.frame.buffer])
    this.frame = new Int16Array(frameSamples)
    this.filled = 0
    this.loudest = 0
  }
}

/** Jitter buffer: audio collected before playback of an utterance starts. */
const headStart = 3 * frameSamples
/** 2.7 ms fade-out, so that interrupted audio does not click. */
const fadeSamples = 128
const reportEvery = 800

class Playback extends AudioWorkletProcessor {
  private frames: Int16Array[] = []
  private at = 0
  private held = 0
  private isPlaying = false
  private last = 0
  private fade = 0
  private sinceReport = 0
  private loudest = 0

  constructor() {
    super()
    this.port.onmessage = ({ data }: MessageEvent<ArrayBuffer | 'clear' | 'flush'>) => {
      if (data === 'clear') this.clear()
      // The utterance is complete, so a short rest is played too.
      else if (data === 'flush') this.isPlaying ||= this.held > 0
      else {
        const frame = new Int16Array(data)
        this.frames.push(frame)
        this.held += frame.length
      }
    }
  }

  private clear(): void {
    this.frames = []
    this.at = 0
    this.held = 0
    this.isPlaying = false
    this.fade = fadeSamples
  }

  process(_: Float32Array[][], [output]: Float32Array[][]): boolean {
    const channel = output?.[0]
    if (!channel) return true
    if (!this.isPlaying && this.held >= headStart) this.isPlaying = true
    for (let i = 0; i < channel.length; i++) {
      const sample = this.next()
      this.loudest = Math.max(this.loudest, Math.abs(sample))
      channel[i] = sample
    }
    this.sinceReport += channel.length
    if (this.sinceReport >= reportEvery) {
      this.port.postMessage({ level: this.loudest, held: this.held })
      this.sinceReport = 0
      this.loudest = 0
    }
    return true
  }

  private next(): number {
    const frame = this.frames[0]
    if (!this.isPlaying || !frame) {
      if (this.isPlaying) {
        this.isPlaying = false
        this.fade = fadeSamples
      }
      if (this.fade === 0) return 0
      this.fade--
      this.last *= this.fade / fadeSamples
      return this.last
    }
    this.last = (frame[this.at++] as number) / 32_768
    this.held--
    if (this.at === frame.length) {
      this.frames.shift()
      this.at = 0
    }
    return this.last
  }
}

registerProcessor('capture', Capture)
registerProcessor('playback', Playback)
