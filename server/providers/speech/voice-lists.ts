import { createHash } from 'node:crypto'
import { createMemory } from '../../platform/memory.ts'
import type { OutboundHttp } from '../../platform/outbound-fetch.ts'
import { listCartesiaVoices, listElevenLabsVoices } from './account-voices.ts'
import type { OfferedVoice } from './voices.ts'

const lists = { elevenlabs: listElevenLabsVoices, cartesia: listCartesiaVoices }

interface Account {
  baseUrl: string
  apiKey?: string | undefined
}

/** New voices of an account appear after this time. */
const rememberForMs = 60_000
const maxRemembered = 500
/** For all pages. */
const timeLimitMs = 20_000

/** Reads the voices of accounts, and remembers them for a minute. */
export function createVoiceLists(http: OutboundHttp) {
  const memory = createMemory<OfferedVoice[]>({ forMs: rememberForMs, most: maxRemembered })
  return (provider: keyof typeof lists, { baseUrl, apiKey = '' }: Account): Promise<OfferedVoice[]> => {
    const name = createHash('sha256').update(`${provider} ${baseUrl} ${apiKey}`).digest('base64')
    // Requests share it, so it has a time limit of its own.
    return memory.recall(name, () =>
      lists[provider]({ http, baseUrl, apiKey, signal: AbortSignal.timeout(timeLimitMs) }),
    )
  }
}
