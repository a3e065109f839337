import { createSimulator } from '../../simulator/create-simulator.ts'
import { createMemoryStore } from '../../simulator/store.ts'
import { createLog } from '../platform/log.ts'
import { isLoopback } from '../platform/loopback.ts'
import { createOfflineSpeech } from '../providers/speech/offline.ts'

interface SimulateOptions {
  port?: string
  host?: string
  token?: string
  speed?: string
}

/** `frontdesk simulate`: the chat platform and carrier simulator as a separate process. Its state is in memory only. */
export async function simulate({
  port = '3001',
  host = '127.0.0.1',
  token,
  speed = '1',
}: SimulateOptions): Promise<void> {
  if (!/^\d+$/.test(port) || Number(port) > 65_535)
    throw new Error(`--port must be a number up to 65535, not "${port}"`)
  if (!/^\d+(\.\d+)?$/.test(speed))
    throw new Error(`--speed must be a number, not "${speed}": 1 is real time, 0 removes all delays`)
  if (!isLoopback(host) && !token)
    throw new Error(`--host ${host} is reachable from other machines and requires --token, which protects the controls`)
  const log = createLog(process.env.LOG_LEVEL ?? 'warn')
  // Its models are loaded by the first call.
  const speech = createOfflineSpeech()
  const simulator = createSimulator({
    store: createMemoryStore(),
    speed: Number(speed),
    log,
    speech: () => speech,
    controlToken: token,
  })
  const stopping = Promise.withResolvers<void>()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => stopping.resolve())
  const url = await simulator.listen({ host, port: Number(port) }).catch((error) => {
    if (error.code === 'EADDRINUSE') throw new Error(`port ${port} on ${host} is in use; choose another with --port`)
    throw error
  })
  const forTestMode = token ? url.replace('://', `://${encodeURIComponent(token)}@`) : url
  console.log(`
  Simulated chat platform and carrier running at ${url}

  Play the customer   open ${url}/
  Test mode           SIMULATOR_URL=${forTestMode} npm start
  Live mode           GRAPH_API_BASE_URL=${url} npm start
                      then connect a number on the page, with the IDs and tokens of a live channel
  Live calls          TELEPHONY_BASE_URL=${url} npm start
                      then give a live channel any account_sid and auth_token as \`voice\`
  Knobs, ledger       ${url}/simulator/knobs  ${url}/simulator/ledger

  All data is lost when it stops. Press Ctrl+C to stop.
`)
  await stopping.promise
  await simulator.close()
  await speech.close()
}

interface MessageOptions {
  from?: string
  to?: string
  name?: string
  type?: string
  key?: string
  url?: string
}

/** `frontdesk simulate message "hi" --from +1415…`: sends a message to a running Frontdesk as a customer. */
export async function simulateMessage(text: string | undefined, options: MessageOptions): Promise<void> {
  const { from, to, name, type } = options
  const key = options.key ?? process.env.FRONTDESK_KEY
  const url = (options.url ?? `http://127.0.0.1:${process.env.PORT ?? 3000}`).replace(/\/$/, '')
  if (!from) throw new Error('--from is required: the phone number of the customer, with + and country code')
  if (!key) throw new Error('--key is required: a test API key (svc_sk_test_…). You can also set FRONTDESK_KEY')
  const channelId = to && (await channelOf(url, key, to))
  const { chat_message_id } = await call(url, key, 'POST', 'simulator/messages', {
    from,
    ...(text !== undefined && { text }),
    ...(name && { name }),
    ...(type && { type }),
    ...(channelId && { channel_id: channelId }),
  })
  console.log(`Sent message ${chat_message_id} from ${from}.`)
}

export async function channelOf(url: string, key: string, number: string): Promise<string> {
  const digits = (text: string) => text.replace(/\D/g, '')
  const { data } = await call(url, key, 'GET', 'channels?limit=100')
  const channels = data as { id: string; phone_number: string }[]
  const channel = channels.find(({ id, phone_number }) => id === number || digits(phone_number) === digits(number))
  if (!channel)
    throw new Error(
      `no channel has the number ${number}; existing channels: ${channels.map((each) => each.phone_number).join(', ') || 'none'}`,
    )
  return channel.id
}

export async function call(
  url: string,
  key: string,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  }).catch(() => {
    throw new Error(`cannot connect to ${url}; start Frontdesk there, or set --url`)
  })
  const answered = (await answer.json().catch(() => ({}))) as { detail?: unknown; message?: unknown }
  if (answer.ok) return answered as Record<string, unknown>
  const detail =
    typeof answered.detail === 'string' ? answered.detail : JSON.stringify(answered.detail ?? answered.message)
  throw new Error(`${url} answered with ${answer.status}: ${detail}`)
}
