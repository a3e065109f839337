import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createOfflineSpeech } from '../../server/providers/speech/offline.ts'
import { wavFile } from '../../server/providers/speech/wav.ts'
import { temporaryFolder } from '../../server/testing/process.ts'

const bytesPerSecond = 32_000

/** Chromium flags that play these words as microphone input, repeatedly, with pauses for the reply. */
export async function fakeMicrophone(words: string, { pauseSeconds = 5 } = {}): Promise<string[]> {
  const speech = createOfflineSpeech({ processes: 1 })
  const pieces: Uint8Array[] = []
  const options = { encoding: 'pcm16-16000', voice: 'rms', language: 'en-US' } as const
  for await (const piece of speech.voice.speak(words, { ...options, signal: AbortSignal.timeout(60_000) }))
    pieces.push(piece)
  await speech.close()
  const silence = Buffer.alloc(pauseSeconds * bytesPerSecond)
  const file = join(await temporaryFolder(), 'microphone.wav')
  const format = { encoding: 'pcm16', sampleRate: 16_000, channels: 1 } as const
  await writeFile(file, wavFile(format, Buffer.concat([silence, ...pieces])))
  return [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-audio-capture=${file}`,
  ]
}
