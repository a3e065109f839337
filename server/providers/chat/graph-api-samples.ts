import { setTimeout as sleep } from 'node:timers/promises'
import { ChatError, type ChatPlatform, type SampleFile } from './contract.ts'
import { asId, asObject, asText, badAnswer, type GraphClient } from './graph-api-client.ts'

const maxAttempts = 4
const firstDelayMs = 250

/** Samples for reviewers, over the platform's resumable uploads. They belong to an app, not to the number. */
export function sampleCalls(
  client: GraphClient,
  { appId, accessToken }: { appId?: string | undefined; accessToken: string },
): Pick<ChatPlatform, 'uploadSample'> {
  /** The app of the token, by the two ways that the platform has. */
  async function ownApp(): Promise<string> {
    const asked = [
      async () => (await client.call({ method: 'GET', path: ['app'], query: { fields: 'id' }, repeatable: true })).id,
      async () => {
        const query = { input_token: accessToken }
        const answer = await client.call({ method: 'GET', path: ['debug_token'], query, repeatable: true })
        return asObject(answer.data)?.app_id
      },
    ]
    for (const ask of asked) {
      const id = await ask().then(asId, refused)
      if (id) return id
    }
    throw new ChatError({
      verdict: 'fail',
      scope: 'app',
      code: 'no_app',
      subcode: null,
      message: 'the platform does not say which app the access token belongs to',
      retryAfterMs: null,
    })
  }

  /** Sends the bytes from `offset` on. The platform wants this one request authorized differently. */
  async function send(session: Session, { open, mimeType, size }: SampleFile, offset: number): Promise<string> {
    const bytes = await open(offset)
    const answer = await client.call({
      method: 'POST',
      ...session,
      scheme: 'OAuth',
      headers: { file_offset: String(offset) },
      upload: { contentType: mimeType, contentLength: size - offset, bytes },
      timeLimitMs: client.options.mediaTimeLimitMs,
      repeatable: true,
    })
    const handle = asText(answer.h)
    if (!handle) throw badAnswer(true, 'an uploaded sample without a handle')
    return handle
  }

  /** How much of the file the platform has. */
  async function received(session: Session): Promise<number> {
    const answer = await client.call({ method: 'GET', ...session, scheme: 'OAuth', repeatable: true })
    return Number(answer.file_offset ?? 0) || 0
  }

  return {
    async uploadSample(file) {
      const { fileName, mimeType, size } = file
      const answer = await client.call({
        method: 'POST',
        path: [appId ?? (await ownApp()), 'uploads'],
        query: { file_name: fileName, file_length: String(size), file_type: mimeType },
        repeatable: true,
      })
      const session = sessionIn(asText(answer.id))
      for (let attempt = 1; ; attempt++) {
        try {
          const offset = attempt === 1 ? 0 : Math.min(await received(session), size)
          return { handle: await send(session, file, offset) }
        } catch (error) {
          if (!(error instanceof ChatError) || error.verdict !== 'retry' || attempt === maxAttempts) throw error
          await sleep(error.retryAfterMs ?? firstDelayMs * 2 ** attempt)
        }
      }
    },
  }
}

interface Session {
  path: string[]
  query: Record<string, string>
}

/** The platform's id of an upload may contain a query: `upload:MTphdHRhY2htZW50?sig=ARZqkGCA`. */
function sessionIn(id: string): Session {
  const [path = '', query = ''] = id.split('?', 2)
  if (!path.startsWith('upload:')) throw badAnswer(true, 'an upload without a session')
  return { path: [path], query: Object.fromEntries(new URLSearchParams(query)) }
}

/** A token may lack the permission for one of the two ways. */
function refused(error: unknown): undefined {
  if (error instanceof ChatError && (error.verdict === 'fail' || error.verdict === 'pause')) return undefined
  throw error
}
