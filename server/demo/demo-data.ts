import type { ActivityType } from '../features/contacts/timeline/schema.ts'
import { idAt } from '../platform/ids.ts'
import { addConversation } from './add-conversation.ts'
import { activityOf, type DemoActivity, type DemoContact, type DemoData, type Stage } from './demo-rows.ts'
import { type Dice, dice } from './dice.ts'
import { cities, firstNames, lastNames, notes, sources, tags, taskTitles, treatments } from './people.ts'

/** The last hundred days of a practice: the same on every run except for the dates, which end now. */

const day = 24 * 3600 * 1000
const daysOfHistory = 100

/** The campaign of the demo goes to these contacts. */
export const campaignTag = 'recall-6m'
export const campaignText =
  'Hello {{1}}, your last check-up was six months ago. Reply to this message and we will find a time for you.'
export const campaignStart = (now: Date) => new Date(now.getTime() - 12 * day)

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
      activities.push(activityOf(id, when, type, actor_type, payload))
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
    activities.push(activityOf(contactId, when, type, 'user', { task_id: id, title }))
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
    activities.push(activityOf(contactId, at, 'message_outbound', 'user', { message_id, preview: body }))
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
