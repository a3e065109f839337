import { loadSilero, type Silero } from './silero.ts'

/** The program of the process that scores chunks of all calls with Silero. */

/** `starts`: the chunk does not follow the stream's last one. */
interface Chunk {
  stream: number
  sampleRate: number
  samples: Int16Array
  starts: boolean
}

export interface ToDetection {
  chunks: Chunk[]
  /** Streams without further chunks. */
  closed: number[]
}

/** In the order of the chunks. */
export interface FromDetection {
  scores: { stream: number; score: number }[]
}

/** Without the model the process ends, and its parent continues without scores. */
const silero = loadSilero()
const streams = new Map<number, ReturnType<Silero['open']>>()

async function score({ stream, sampleRate, samples, starts }: Chunk) {
  const open = (!starts && streams.get(stream)) || (await silero).open(sampleRate)
  streams.set(stream, open)
  return { stream, score: await open.score(samples) }
}

let last: Promise<unknown> = Promise.resolve()
process.on('message', ({ chunks, closed }: ToDetection) => {
  last = last.then(async () => {
    const scores: FromDetection['scores'] = []
    for (const chunk of chunks) scores.push(await score(chunk))
    for (const stream of closed) streams.delete(stream)
    process.send?.({ scores } satisfies FromDetection)
  })
})
// The parent is gone, so no answer would be read.
process.on('disconnect', () => process.exit())
