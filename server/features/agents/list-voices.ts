import { AppError, conflict } from '../../platform/errors.ts'
import { SpeechError } from '../../providers/speech/contract.ts'
import type { Speech } from '../../providers/speech/speech.ts'
import type { OfferedVoice } from '../../providers/speech/voices.ts'
import type { Voice, VoiceFilter, VoiceList } from './schema.ts'

/** The voices with fixed ids, or all voices of the account at one provider. */
export async function listVoices(
  speech: Pick<Speech, 'offered' | 'listVoices'>,
  organizationId: string,
  { provider }: VoiceFilter,
): Promise<VoiceList> {
  const offered = await speech.offered(organizationId)
  const providers = [...new Set(offered.map((voice) => voice.provider))]
  if (provider === undefined) return { voices: offered.map(fixed), providers }
  try {
    const found = await speech.listVoices(organizationId, provider)
    if (!found) throw conflict(`There is no key for ${provider}: add one under provider keys`)
    return { voices: found.map(shown), providers }
  } catch (error) {
    if (!(error instanceof SpeechError)) throw error
    throw new AppError(502, `The voices cannot be listed: ${error.message}`, {
      upstream: { code: error.verdict === 'fail' ? 'refused' : 'unreachable', message: error.message },
    })
  }
}

const fixed = ({ id, name, provider, language }: OfferedVoice): Voice => ({ id, name, provider, language })

const shown = ({ id, name, provider, language, voice, description, previewUrl }: OfferedVoice): Voice => ({
  id,
  name,
  provider,
  language,
  provider_voice_id: voice,
  description: description ?? null,
  preview_url: previewUrl ?? null,
})
