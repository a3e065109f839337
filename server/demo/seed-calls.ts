import { completeConfig } from '../features/agents/config/complete-config.ts'
import type { TenantTx } from '../platform/database.ts'
import { idAt, newId } from '../platform/ids.ts'
import { addAgent } from './seed-agent.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const callCount = 40

interface Caller {
  id: string
  name: string
  phone_number: string
}

/** An agent that answers from fixed rules, and the calls of the last month that it took or made. */
export async function seedCalls(
  tx: TenantTx,
  channel: { id: string; phone_number: string },
  callers: Caller[],
  now: Date,
): Promise<void> {
  const agentId = newId()
  await addAgent(tx, { id: agentId, name: 'Receptionist', type: 'static', config: receptionist })
  const calls = Array.from({ length: callCount }, (_, n) => demoCall(n, callers[n * 3] as Caller, channel, now))
  await tx.run`
    insert into calls (id, medium, direction, status, telephony_status, agent_id, agent_version, channel_id, contact_id,
      from_number, to_number, answered_at, deadline_at, ended_at, ended_reason, duration_seconds, transcript, summary,
      created_at)
    select id, 'phone', direction, status, status, ${agentId}, 1, ${channel.id}, contact_id, from_number, to_number,
      case when status = 'completed' then started_at end, ended_at, ended_at, ended_reason, duration_seconds, transcript,
      summary, started_at
    from jsonb_to_recordset(${JSON.stringify(calls)}::jsonb) as demo (id uuid, direction text, status text,
      contact_id uuid, from_number text, to_number text, started_at timestamptz, ended_at timestamptz,
      ended_reason text, duration_seconds integer, transcript jsonb, summary text)`
}

const receptionist = completeConfig({
  welcome_message: 'Hello, this is Juniper Dental. How can I help you?',
  call_settings: {
    rules: [
      { when: ['opening hours', 'open', 'hours'], say: 'We are open from nine to five, Monday to Friday.' },
      { when: ['park', 'parking'], say: 'There is a garage at 210 Alder Street.' },
      {
        when: ['pay', 'payment', 'credit card'],
        say: 'You can pay by card or in cash, and in two parts without interest.',
      },
      { when: ['person', 'human', 'complaint'], say: 'I will ask a colleague to call you back.', then: 'handoff' },
      // The last rule, and it does not end the call: a caller may say thanks and ask something that no rule answers.
      {
        when: ['thanks', 'thank you'],
        say: 'You’re welcome. For anything else, say “person”, and a colleague will call you back.',
      },
    ],
    fallback: { say: 'I am not sure about that. I will ask a colleague to call you back.', then: 'handoff' },
  },
})

/** The same on every run except for the date. Every ninth call is not answered, every fifth is handed off. */
function demoCall(n: number, caller: Caller, channel: { phone_number: string }, now: Date) {
  const started = new Date(now.getTime() - (((n * 7) % 30) + 1) * dayMs + ((n * 53) % 480) * minuteMs)
  const isInbound = n % 3 !== 0
  const isReached = n % 9 !== 0
  const isHandedOff = isReached && n % 5 === 0
  const seconds = isReached ? 35 + ((n * 37) % 200) : 0
  const [from_number, to_number] = isInbound
    ? [caller.phone_number, channel.phone_number]
    : [channel.phone_number, caller.phone_number]
  return {
    id: idAt(started),
    direction: isInbound ? 'inbound' : 'outbound',
    status: isReached ? 'completed' : 'no-answer',
    contact_id: caller.id,
    from_number,
    to_number,
    started_at: started.toISOString(),
    ended_at: new Date(started.getTime() + (isReached ? seconds : 25) * 1000).toISOString(),
    ended_reason: isReached ? (isHandedOff ? 'handed_off' : 'caller_hung_up') : 'no_answer',
    duration_seconds: seconds,
    transcript: isReached ? transcript(isHandedOff) : [],
    summary: isReached
      ? isHandedOff
        ? `${caller.name} asked to be called back.`
        : `${caller.name} asked for the opening hours.`
      : '',
  }
}

const transcript = (isHandedOff: boolean) => [
  { speaker: 'agent', text: 'Hello, this is Juniper Dental. How can I help you?', timestamp: 0.6 },
  isHandedOff
    ? { speaker: 'caller', text: 'I would like to talk to a person, please.', timestamp: 5.2 }
    : { speaker: 'caller', text: 'When are you open?', timestamp: 5.2 },
  isHandedOff
    ? { speaker: 'agent', text: 'I will ask a colleague to call you back.', timestamp: 8.9 }
    : { speaker: 'agent', text: 'We are open from nine to five, Monday to Friday.', timestamp: 8.1 },
]
