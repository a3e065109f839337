import type { api as types } from '@frontdesk/sdk'
import { endOfSpeech, type Recording } from './read-recording.ts'

/** One sentence, and when it begins. */
export interface Line {
  key: string
  speaker: 'agent' | 'caller'
  /** Only where somebody else begins to speak. */
  isFirst: boolean
  text: string
  start: number
  isInterrupted: boolean
  source: types.TranscriptSegment['source']
  scriptedText: string | undefined
  /** What the caller waited for this answer. */
  latency: NonNullable<types.CallLatency['by_turn']>[number] | undefined
}

const sentencesOf = (text: string): string[] =>
  [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text)]
    .map(({ segment }) => segment)
    .filter((sentence) => sentence.trim() !== '')

/**
 * What was said, sentence by sentence. The service knows when a turn began; within it, a sentence begins as far along as
 * its letters are, which is near enough to hear it.
 */
export function linesOf(
  transcript: types.TranscriptSegment[],
  { recording, latency }: { recording?: Recording | undefined; latency?: types.CallLatency | null },
): Line[] {
  const turns = [...(latency?.by_turn ?? [])]
  return transcript.flatMap((segment, index) => {
    const next = transcript.slice(index + 1).find(({ speaker }) => speaker === segment.speaker)
    const until = next?.timestamp ?? recording?.seconds ?? segment.timestamp
    const end = recording
      ? endOfSpeech(recording.lanes[segment.speaker === 'caller' ? 0 : 1], segment.timestamp, until)
      : until
    // Turns before it that got no answer of their own are passed over with it.
    const answered = segment.speaker === 'agent' ? turns.findLastIndex(({ at }) => at <= segment.timestamp) : -1
    const waited = turns.splice(0, answered + 1).at(-1)
    const sentences = recording ? sentencesOf(segment.text) : [segment.text]
    const letters = sentences.reduce((sum, { length }) => sum + length, 0)
    let before = 0
    return sentences.map((text, at): Line => {
      const start = segment.timestamp + (Math.max(0, end - segment.timestamp) * before) / Math.max(1, letters)
      before += text.length
      return {
        key: `${index}-${at}`,
        speaker: segment.speaker,
        isFirst: at === 0,
        text: text.trim(),
        start,
        isInterrupted: segment.interrupted === true && at === sentences.length - 1,
        source: segment.source,
        scriptedText: at === 0 && segment.scripted_text !== segment.text ? segment.scripted_text : undefined,
        latency: at === 0 ? waited : undefined,
      }
    })
  })
}
