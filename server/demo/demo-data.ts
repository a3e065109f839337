import type { Contact } from '../features/contacts/schema.ts'
import type { ActivityType } from '../features/contacts/timeline/schema.ts'
import { idAt } from '../platform/ids.ts'
import { answeredConversations, conversations } from './conversations.ts'
import { cities, firstNames, lastNames, notes, sources, tags, taskTitles, treatments } from './people.ts'

/** The last hundred days of a practice: the same on every run except for the dates, which end now. */

const day = 24 * 3600 * 1000
const daysOfHistory = 100

/** Conversations of the last days that are still open. */
const openConversations = 14

/** The campaign of the demo goes to these contacts. */
export const campaignTag = 'recall-6m'
export const campaignText =
  'Hello {{1}}, your last check-up was six months ago. Reply to this message and we will find a time for you.'
export const campaignStart = (now: Date) => new Date(now.getTime() - 12 * day)

type Stage = Contact['stage']

interface DemoActivity {
  id: string
  contact_id: string
  type: ActivityType
  actor_type: 'user' | 'ai' | 'system'
  payload: Record<string, unknown>
  created_at: string
}

interface DemoContact {
  id: string
  phone_number: string
  name: string
  tags: string[]
  notes: string
  custom_fields: Record<string, string>
  stage: Stage
  ai_handling: boolean
  opted_out_at: string | null
  last_activity_at: string
  activity_counts: Record<string, number>
  created_at: string
  updated_at: string
}

interface DemoTask {
  id: string
  contact_id: string
  title: string
  description: string
  due_at: string | null
  status: 'pending' | 'completed' | 'cancelled'
  completed_at: string | null
  created_at: string
  updated_at: string
}

interface DemoMessage {
  id: string
  ticket_id: string
  contact_id: string
  direction: 'inbound' | 'outbound'
  body: string
  actor_type: 'user' | 'ai' | 'system'
  created_at: string
}

/** A message of the campaign. */
export interface DemoDelivery {
  id: string
  message_id: string
  contact_id: string
  phone_number: string
  first_name: string
  body: string
  status: 'read' | 'delivered' | 'failed'
  sent_at: string
}

/** A conversation; the last messages of an unanswered one are unread. */
interface DemoTicket {
  id: string
  contact_id: string
  status: 'open' | 'closed'
  unread_count: number
  message_count: number
  last_message_at: string
  /** Whether a member replied. */
  is_handed_off: boolean
  rating: 'good' | 'okay' | 'bad' | null
  created_at: string
}

interface DemoData {
  contacts: DemoContact[]
  activities: DemoActivity[]
  tasks: DemoTask[]
  tickets: DemoTicket[]
  messages: DemoMessage[]
  deliveries: DemoDelivery[]
}

/** How a contact reached its stage. */
const journeys: Record<Stage, Stage[]> = {
  new: ['new'],
  engaged: ['new', 'engaged'],
  qualified: ['new', 'engaged', 'qualified'],
  customer: ['new', 'engaged', 'qualified', 'customer'],
  lost: ['new', 'engaged', 'lost'],
}

const shareOfStage: [Stage, number][] = [
  ['new', 62],
  ['engaged', 52],
  ['qualified', 34],
  ['customer', 38],
  ['lost', 14],
]

/** A small seeded generator: the same practice on every machine. */
function dice(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  return {
    chance: (share: number) => next() < share,
    between: (low: number, high: number) => low + Math.floor(next() * (high - low + 1)),
    pick: <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T,
  }
}

type Dice = ReturnType<typeof dice>

export function demoData(now: Date): DemoData {
  const roll = dice(2026)
  const data: DemoData = { contacts: [], activities: [], tasks: [], tickets: [], messages: [], deliveries: [] }
  const stages = shareOfStage.flatMap(([stage, count]) => Array<Stage>(count).fill(stage))
  const names = new Set<string>()
  for (const [index, stage] of stages.entries()) {
    const activities: DemoActivity[] = []
    const at = (daysAgo: number) => workingHour(new Date(now.getTime() - daysAgo * day), roll, now)
    const firstSeen = roll.between(1, daysOfHistory)
    const created = at(firstSeen)
    const id = idAt(created)
    // Nothing happens before the contact is created.
    const notBefore = (when: Date) =>
      when > created ? when : new Date(Math.min(now.getTime(), created.getTime() + roll.between(5, 120) * 60_000))
    const add = (
      moment: Date,
      type: ActivityType,
      actor_type: DemoActivity['actor_type'],
      payload: DemoActivity['payload'] = {},
    ) => {
      const when = type === 'contact_created' ? moment : notBefore(moment)
      activities.push({ id: idAt(when), contact_id: id, type, actor_type, payload, created_at: when.toISOString() })
    }

    add(created, 'contact_created', 'system')
    const between = () => at(roll.between(0, Math.max(0, firstSeen - 1)))
    const journey = journeys[stage]
    const steps = journey
      .slice(1)
      .map((_, step) => notBefore(at((firstSeen * (journey.length - 1 - step)) / (journey.length + 0.5))))
    steps.sort((a, b) => a.getTime() - b.getTime())
    for (const [step, when] of steps.entries())
      add(when, 'stage_changed', roll.chance(0.6) ? 'user' : 'ai', {
        old_stage: journey[step],
        new_stage: journey[step + 1],
      })
    for (let n = roll.between(0, 3); n > 0; n--) add(between(), 'note_added', 'user', { note: roll.pick(notes) })
    if (journey.includes('qualified'))
      add(between(), 'meeting_scheduled', 'ai', { title: roll.pick(treatments), with: 'Dr. Okafor' })
    if (roll.chance(0.28))
      addTask(data, roll, now, id, notBefore(at(Math.min(firstSeen, roll.between(1, 21)))), activities)

    // Every fourth contact wrote recently. A member who replies takes the contact over from the agent.
    const isWithPeople = index % 4 === 3 && addConversation(data, now, id, created, index, activities)
    const name = newName(roll, names)
    const ownTags = tags.filter(() => roll.chance(0.2))
    const sentAt = campaignStart(now).getTime() + data.deliveries.length * 250
    if (ownTags.includes(campaignTag) && created.getTime() < sentAt)
      addDelivery(data, { id, name, phone_number: phoneNumber(index) }, new Date(sentAt), activities)

    activities.sort((a, b) => a.created_at.localeCompare(b.created_at))
    const last = activities.at(-1)?.created_at as string
    data.activities.push(...activities)
    data.contacts.push({
      id,
      phone_number: phoneNumber(index),
      name,
      tags: ownTags,
      notes: roll.chance(0.3) ? roll.pick(notes) : '',
      custom_fields: { city: roll.pick(cities), source: roll.pick(sources), interest: roll.pick(treatments) },
      stage,
      ai_handling: !isWithPeople,
      opted_out_at: roll.chance(0.03) ? last : null,
      last_activity_at: last,
      activity_counts: countByType(activities),
      created_at: created.toISOString(),
      updated_at: last,
    })
  }
  return data
}

/** The practice does not work at night, and nothing is in the future. */
function workingHour(moment: Date, roll: Dice, now: Date): Date {
  const set = new Date(moment)
  set.setUTCHours(roll.between(15, 23), roll.between(0, 59), roll.between(0, 59), roll.between(0, 999))
  return set < now ? set : new Date(now.getTime() - roll.between(1, 600) * 60_000)
}

function addTask(data: DemoData, roll: Dice, now: Date, contactId: string, created: Date, activities: DemoActivity[]) {
  const status = roll.chance(0.6) ? 'pending' : roll.chance(0.75) ? 'completed' : 'cancelled'
  const id = idAt(created)
  const title = roll.pick(taskTitles)
  // Some pending tasks are overdue, some are due today, most are in the future.
  const due = new Date(now.getTime() + roll.between(-6, 14) * day + roll.between(-300, 300) * 60_000)
  const done = new Date(Math.min(now.getTime() - 60_000, created.getTime() + roll.between(1, 40) * 3_600_000))
  const note = (when: Date, type: ActivityType) =>
    activities.push({
      id: idAt(when),
      contact_id: contactId,
      type,
      actor_type: 'user',
      payload: { task_id: id, title },
      created_at: when.toISOString(),
    })
  note(created, 'task_created')
  if (status === 'completed') note(done, 'task_completed')
  data.tasks.push({
    id,
    contact_id: contactId,
    title,
    description: roll.chance(0.5) ? roll.pick(notes) : '',
    due_at: roll.chance(0.9) ? due.toISOString() : null,
    status,
    completed_at: status === 'completed' ? done.toISOString() : null,
    created_at: created.toISOString(),
    updated_at: (status === 'pending' ? created : done).toISOString(),
  })
}

/**
 * The first conversation is from today, the others from the days before; messages are one or two minutes apart. Returns
 * whether people handle the contact: a member replied, or the agent never did.
 */
function addConversation(
  data: DemoData,
  now: Date,
  contactId: string,
  contactCreated: Date,
  index: number,
  activities: DemoActivity[],
): boolean {
  const number = data.tickets.length
  const isRecent = number < openConversations
  const scripts = isRecent ? conversations : answeredConversations
  const script = scripts[number % scripts.length] as string[]
  const lastedMinutes = script.length * 2
  const begun = Math.max(
    contactCreated.getTime() + 60_000,
    now.getTime() - (number * 11 * 3600 + 900) * 1000 - lastedMinutes * 60_000,
  )
  const ticketId = idAt(new Date(begun))
  const when = (step: number) =>
    new Date(Math.min(begun + step * (60 + ((index * 37 + step * 53) % 60)) * 1000, now.getTime()))
  const lines = script.map((line, step) => ({ who: line[0], body: line.slice(2), at: when(step) }))
  const firstReply = lines.findIndex(({ who }) => who === '>')
  for (const [step, { who, body, at }] of lines.entries()) {
    const id = idAt(at)
    const isAgent = who === '!'
    if (isAgent || (step === firstReply && !lines.some((line) => line.who === '!')))
      activities.push({
        id: idAt(at),
        contact_id: contactId,
        type: 'handoff_to_human',
        actor_type: isAgent ? 'ai' : 'user',
        payload: { reason: isAgent ? body : 'A member replied' },
        created_at: at.toISOString(),
      })
    if (isAgent) continue
    const isInbound = who === '<'
    const actor_type = isInbound ? 'system' : who === '*' ? 'ai' : 'user'
    data.messages.push({
      id,
      ticket_id: ticketId,
      contact_id: contactId,
      direction: isInbound ? 'inbound' : 'outbound',
      body,
      actor_type,
      created_at: at.toISOString(),
    })
    activities.push({
      id: idAt(at),
      contact_id: contactId,
      type: isInbound ? 'message_inbound' : 'message_outbound',
      actor_type,
      payload: { message_id: id, preview: body },
      created_at: at.toISOString(),
    })
  }
  const messages = lines.filter(({ who }) => who !== '!')
  const answered = messages.findLastIndex(({ who }) => who !== '<')
  data.tickets.push({
    id: ticketId,
    contact_id: contactId,
    status: isRecent ? 'open' : 'closed',
    unread_count: isRecent && number % 3 === 0 ? messages.length - 1 - answered : 0,
    message_count: messages.length,
    last_message_at: lines.at(-1)?.at.toISOString() as string,
    is_handed_off: firstReply !== -1,
    // Two of three customers rate a closed conversation.
    rating: isRecent || number % 3 === 0 ? null : number % 11 === 0 ? 'bad' : number % 5 === 0 ? 'okay' : 'good',
    created_at: lines[0]?.at.toISOString() as string,
  })
  return firstReply !== -1 || !lines.some(({ who }) => who === '*')
}

/** Most are read, some only delivered, and a few numbers are not on WhatsApp. */
function addDelivery(
  data: DemoData,
  { id: contactId, name, phone_number }: Pick<DemoContact, 'id' | 'name' | 'phone_number'>,
  at: Date,
  activities: DemoActivity[],
) {
  const number = data.deliveries.length
  const status = number % 17 === 5 ? 'failed' : number % 4 === 1 ? 'delivered' : 'read'
  const first_name = name.split(' ')[0] as string
  const message_id = idAt(at)
  const body = campaignText.replace('{{1}}', first_name)
  const sent_at = at.toISOString()
  data.deliveries.push({
    id: idAt(at),
    message_id,
    contact_id: contactId,
    phone_number,
    first_name,
    body,
    status,
    sent_at,
  })
  if (status !== 'failed')
    activities.push({
      id: idAt(at),
      contact_id: contactId,
      type: 'message_outbound',
      actor_type: 'user',
      payload: { message_id, preview: body },
      created_at: sent_at,
    })
}

/** Numbers reserved for fiction, except those with a special meaning in the simulator (ending in 0100 to 0119). */
function phoneNumber(index: number): string {
  const areaCodes = ['415', '510', '628', '650', '707']
  return `+1${areaCodes[Math.floor(index / 80)]}555${String(120 + (index % 80)).padStart(4, '0')}`
}

function newName(roll: Dice, taken: Set<string>): string {
  for (;;) {
    const name = `${roll.pick(firstNames)} ${roll.pick(lastNames)}`
    if (!taken.has(name)) {
      taken.add(name)
      return name
    }
  }
}

function countByType(activities: DemoActivity[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { type } of activities) counts[type] = (counts[type] ?? 0) + 1
  return counts
}
