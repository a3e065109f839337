import type { api as types } from '@frontdesk/sdk'
import { endOfSpeech, type Recording } from './read-recording.ts'

/** A sentence with its start time. */
export interface Line {
  key: string
  speaker: 'agent' | 'caller'
  /** Only where the speaker changes. */
  isFirst: boolean
  text: string
  start: number
  isInterrupted: boolean
  source: types.TranscriptSegment['source']
  scriptedText: string | undefined
  /** How long the caller waited for this reply. */
  latency: NonNullable<types.CallLatency['by_turn']>[number] | undefined
}

const sentencesOf = (text: string): string[] =>
  [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text)]
    .map(({ segment }) => segment)
    .filter((sentence) => sentence.trim() !== '')

/**
 * The transcript by sentence. The service records when a turn starts; the start of a sentence within it is estimated
 * from its position in the text, which is close enough for playback.
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
      ? endOfSpeech(recording.tracks[segment.speaker === 'caller' ? 0 : 1], segment.timestamp, until)
      : until
    // Earlier turns without a reply of their own are skipped.
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
