import type { Encoding } from '../../../providers/speech/contract.ts'
import type { ConversationSetup } from './contract.ts'
import type { CallPhrases } from './phrases.ts'
import type { Speak } from './speech-output.ts'
import { signsToWords } from './spoken/signs-to-words.ts'

/** Providers whose voices read times and money in every language. */
const readPlainNumbers: ReadonlySet<string> = new Set(['elevenlabs', 'cartesia'])

/** The voice of a call, in the language of the call. Gets numbers and signs as words, where it would misread them. */
export const createCallVoice =
  (
    { voice, voiceName }: ConversationSetup,
    { phrases, encoding }: { phrases: CallPhrases; encoding: Encoding },
  ): Speak =>
  (written, { onSpoken, onWord, ...rest }) => {
    const language = phrases.language()
    const spoken = signsToWords(written, language, readPlainNumbers.has(voice.provider))
    onSpoken(spoken)
    return voice.speak(spoken.text, {
      encoding,
      voice: voiceName,
      language,
      ...rest,
      onWord: ({ end, endMs }) => onWord({ end: spoken.writtenEnd(end), endMs }),
    })
  }
