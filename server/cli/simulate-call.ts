import { setTimeout as sleep } from 'node:timers/promises'
import { call, channelOf } from './simulate.ts'

interface CallOptions {
  to?: string
  from?: string
  agent?: string
  say?: string
  key?: string
  url?: string
}

const pollEveryMs = 300

/**
 * `frontdesk simulate call`: places a test call with an agent of a running Frontdesk and prints the transcript live.
 */
export async function simulateCall(options: CallOptions): Promise<void> {
  const key = options.key ?? process.env.FRONTDESK_KEY
  const url = (options.url ?? `http://127.0.0.1:${process.env.PORT ?? 3000}`).replace(/\/$/, '')
  if (!key) throw new Error('--key is required: a test API key (svc_sk_test_…). You can also set FRONTDESK_KEY')
  if (!key.startsWith('svc_sk_test_'))
    throw new Error('--key must be a test API key (svc_sk_test_…): simulated calls never reach real people')
  const agent_id = options.agent ?? (await agentToCall(url, key))
  const channelId = options.from && (await channelOf(url, key, options.from))
  const script = options.say?.split('|').map((line) => line.trim())
  const placed = await call(url, key, 'POST', 'calls', {
    agent_id,
    to_number: options.to ?? '+12025550110',
    ...(channelId && { chat_phone_number_id: channelId }),
    ...(script && { metadata: { caller_script: script } }),
  })
  console.log(`Calling ${placed.to_number} from ${placed.from_number} (call ${placed.id})\n`)
  await follow(url, key, placed.id as string)
}

/** The newest active agent; creates one if there is none. */
async function agentToCall(url: string, key: string): Promise<string> {
  const { data } = await call(url, key, 'GET', 'agents?is_active=active&limit=1')
  const [known] = data as { id: string }[]
  if (known) return known.id
  const made = await call(url, key, 'POST', 'agents', {
    name: 'Front desk',
    agent_type: 'static',
    agent_config: {
      welcome_message: 'Hello, this is the front desk. How can I help you?',
      call_settings: {
        rules: [
          { when: ['opening', 'hours', 'open'], say: 'We are open from nine to five, Monday to Friday.' },
          { when: ['appointment', 'book'], say: 'Of course. Tomorrow at ten is free, I have noted it down for you.' },
          // biome-ignore lint/suspicious/noThenProperty: what a rule does next is called so
          { when: ['goodbye', 'good-by', 'bye'], say: 'Thank you for calling. Goodbye.', then: 'end' },
        ],
        fallback: 'I am sorry, could you say that again?',
      },
    },
  })
  return made.id as string
}

/** Statuses that are printed before the conversation begins. */
const onTheWay = new Set<unknown>(['queued', 'dialing', 'initiated', 'ringing', 'in-progress'])

async function follow(url: string, key: string, id: string): Promise<void> {
  let after = -1
  let state = ''
  for (;;) {
    const update = await call(url, key, 'GET', `calls/${id}/transcript?after=${after}`)
    if (update.telephony_status !== state && onTheWay.has(update.telephony_status))
      console.log(`  … ${update.telephony_status}`)
    state = update.telephony_status as string
    for (const { number, segment } of update.segments as LiveSegment[]) {
      const seconds = segment.timestamp.toFixed(1).padStart(6)
      console.log(`${seconds} s  ${segment.speaker.padEnd(6)}  ${segment.text}${segment.interrupted ? ' —' : ''}`)
      after = number
    }
    if (update.status !== 'in-progress') break
    await sleep(pollEveryMs)
  }
  let ended = await call(url, key, 'GET', `calls/${id}`)
  for (let i = 0; i < 20 && ended.analysis === null; i++) {
    await sleep(pollEveryMs)
    ended = await call(url, key, 'GET', `calls/${id}`)
  }
  console.log(`
  ${ended.status}: ${ended.ended_reason}, ${ended.duration_seconds} s, ${ended.cost} USD
  ${ended.summary}
${ended.recording_url ? `  Recording: curl -H "Authorization: Bearer $FRONTDESK_KEY" ${url}${ended.recording_url} -o call.wav\n` : ''}`)
}

interface LiveSegment {
  number: number
  segment: { speaker: string; text: string; timestamp: number; interrupted?: true }
}
