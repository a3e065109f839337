import type { KnobBoard } from './knobs.ts'
import type { Ledger } from './ledger.ts'
import type { Limits } from './limits.ts'
import { fateOf, stepsOf, stopReplyAfter } from './magic-numbers.ts'
import { checkCarried, type Media } from './media.ts'
import { checkMessage, type OutgoingBody, recipientOf } from './message-rules.ts'
import type { NumberHealth } from './number-health.ts'
import type { SimulatedNumber } from './numbers.ts'
import type { People } from './people.ts'
import { Refusal } from './refusals.ts'
import type { SentMessage } from './statuses.ts'
import type { SimulatorTask } from './tasks.ts'
import { checkTemplateMessage, mediaIdsIn } from './template-messages.ts'
import type { Templates } from './templates.ts'
import type { Transcript } from './transcript.ts'
import { newMessageId, readMessageId } from './wamid.ts'
import type { Windows } from './windows.ts'

export interface Sends {
  /** The answer to a request, or nothing for one that is never answered. */
  accept(
    number: SimulatedNumber,
    body: OutgoingBody,
    raw: string,
    version: number,
    isMarketing: boolean,
  ): Promise<string | undefined>
  /** Messages that are held for quality. */
  held(): SimulatorTask[]
}

interface SendDependencies {
  templates: Templates
  windows: Windows
  media: Media
  limits: Limits
  ledger: Ledger
  transcript: Transcript
  knobs: KnobBoard
  health: Pick<NumberHealth, 'peopleADay'>
  people: Pick<People, 'otherId'>
  later(task: SimulatorTask): void
  wait(ms: number): number
}

const success = '{"success":true}'
const readableForMs = 30 * 24 * 3600 * 1000

export function createSends(deps: SendDependencies): Sends {
  const { templates, windows, media, limits, ledger, transcript, knobs, health, people, later, wait } = deps
  /** How often a message to …0105 was refused. */
  const refused = new Map<string, number>()
  const stoppedAt = new Map<string, number>()
  let held: { phoneNumberId: string; task: SimulatorTask }[] = []
  knobs.onChange(() => {
    const isHeld = ({ phoneNumberId }: (typeof held)[number]) => knobs.of(phoneNumberId).held_for_quality
    const released = held.filter((each) => !isHeld(each))
    held = held.filter(isHeld)
    for (const { task } of released) later(task)
  })

  function markRead(number: SimulatedNumber, body: OutgoingBody): string {
    const id = readMessageId(body.message_id, number.phone_number_id)
    if (id?.direction !== 'inbound' || id.at < Date.now() - readableForMs)
      throw new Refusal(131009, 'Message ID is invalid.')
    transcript.markRead(String(body.message_id), body.typing_indicator !== undefined)
    return success
  }

  function refuseUnknownMessages(number: SimulatedNumber, body: OutgoingBody, type: string): void {
    const context = body.context as { message_id?: unknown } | undefined
    if (context?.message_id !== undefined && !readMessageId(context.message_id, number.phone_number_id))
      throw new Refusal(131009, "Param context['message_id'] is not the id of a message of this conversation.")
    if (type === 'reaction') {
      const { message_id } = body.reaction as { message_id?: unknown }
      if (!readMessageId(message_id, number.phone_number_id))
        throw new Refusal(131009, "Param reaction['message_id'] is not the id of a message of this conversation.")
    }
  }

  /** …0105: the first attempts of each message exceed the number's limit. */
  function refuseAtFirst(
    number: SimulatedNumber,
    person: string,
    times: number,
    body: OutgoingBody,
    raw: string,
  ): void {
    const key = `${number.key} ${person} ${String(body.biz_opaque_callback_data ?? raw)}`
    const before = refused.get(key) ?? 0
    if (refused.size > 10_000) refused.clear()
    if (before >= times) {
      refused.delete(key)
      return
    }
    refused.set(key, before + 1)
    throw new Refusal(
      130429,
      'Message failed to send because there were too many messages sent from this phone number in a short period of time',
    )
  }

  async function checkMediaId({ account }: SimulatedNumber, type: string, id: string): Promise<void> {
    const mimeType = await media.typeOf(account, id)
    if (mimeType === undefined)
      throw new Refusal(100, `Param ${type}['id'] is not a valid whatsapp business account media attachment ID`)
    checkCarried(type, mimeType)
  }

  function replyStop(number: SimulatedNumber, person: string, type: string, now: number): void {
    const key = `${number.key} ${person}`
    // An automatic reply to an automatic reply would never end.
    if (type !== 'template' && now - (stoppedAt.get(key) ?? 0) < 60_000) return
    stoppedAt.set(key, now)
    const message = { type: 'text', text: { body: 'STOP' } }
    later({ at: now + wait(stopReplyAfter), kind: 'inbound', key: number.key, from: person, message })
  }

  return {
    async accept(number, body, raw, version, isMarketing) {
      if (body.status === 'read') return markRead(number, body)
      const { type, part } = checkMessage(body)
      if (isMarketing && type !== 'template') throw new Refusal(100, 'Message must be a template message')
      const { person, isUserId } = recipientOf(body)
      const now = Date.now()
      const turned = knobs.of(number.phone_number_id)
      if (person === number.display_phone_number.replace(/\D/g, ''))
        throw new Refusal(131021, 'The sender and the recipient are the same number')
      limits.takeThroughput(number, turned, now)
      refuseUnknownMessages(number, body, type)
      if (typeof part.id === 'string' && type !== 'template') await checkMediaId(number, type, part.id)

      let category = 'service'
      let text = ''
      let offer = type === 'interactive' ? part : undefined
      if (type === 'template') {
        const { name, language, components } = part as {
          name: string
          language: { code: string }
          components?: object[]
        }
        const looking = templates.toSend(number.account, name, language.code)
        const template = looking instanceof Promise ? await looking : looking
        text = checkTemplateMessage(template, name, language.code, components ?? [], version)
        for (const header of mediaIdsIn(components ?? [])) await checkMediaId(number, header.type, header.id)
        if (template?.components.some((each) => each.type === 'CALL_PERMISSION_REQUEST'))
          offer = { type: 'call_permission_request' }
        category = (template as { category: string }).category.toLowerCase()
        if (isUserId && category === 'authentication') throw new Refusal(131062, '')
        if (isMarketing && category !== 'marketing') throw new Refusal(100, 'Template must be a marketing template')
        const most = health.peopleADay(number)
        const limit = most instanceof Promise ? await most : most
        if (limit !== Infinity && !(await windows.isOpen(number, person, now)))
          limits.takePerson(number, person, limit, now)
      } else {
        const opened = windows.isOpen(number, person, now)
        if (!(opened instanceof Promise ? await opened : opened))
          throw new Refusal(
            131047,
            'Message failed to send because more than 24 hours have passed since the customer last replied to this number.',
          )
      }
      if (turned.pair_limit) limits.takePair(number, person, now)
      const fate = fateOf(person)
      if (fate.refusals) refuseAtFirst(number, person, fate.refusals, body, raw)
      if (fate.failsWith && turned.sync_failures) throw new Refusal(fate.failsWith, '')

      const id = newMessageId('outbound', number.phone_number_id, now)
      const callbackData = typeof body.biz_opaque_callback_data === 'string' ? body.biz_opaque_callback_data : null
      const sent = { phone_number_id: number.phone_number_id, to: person, type, callback_data: callbackData }
      ledger.record(
        { ...sent, template: type === 'template' ? String(part.name) : null, is_marketing: isMarketing },
        id,
        now,
      )
      transcript.sent(number, person, id, type, part, text, now, offer)
      const recipient = isUserId ? person : dialled(person)
      const message: SentMessage = {
        id,
        key: number.key,
        person: recipient,
        isUserId,
        otherId: people.otherId(number, recipient),
        callbackData,
        category,
        version,
        failsWith: fate.failsWith ?? null,
      }
      const told = stepsOf(fate, turned, now, wait)
      // Reactions have no read status.
      const steps = type === 'reaction' ? told.filter(({ status }) => status !== 'read') : told
      const task: SimulatorTask = { kind: 'statuses', at: steps[0]?.toldAt ?? now, message, steps, step: 0 }
      const isHeld = turned.held_for_quality && type === 'template'
      if (isHeld) held.push({ phoneNumberId: number.phone_number_id, task })
      else later(task)
      if (fate.repliesStop && !isHeld) replyStop(number, person, type, now)
      if (fate.neverAnswers) return undefined
      return answerJson(body, message, type === 'template' ? (isHeld ? 'held_for_quality_assessment' : 'accepted') : '')
    },
    held: () => held.splice(0).map(({ task }) => task),
  }
}

function answerJson(body: OutgoingBody, { id, person, isUserId }: SentMessage, status: string): string {
  const input = JSON.stringify(String(body.to ?? body.recipient))
  return (
    `{"messaging_product":"whatsapp","contacts":[{"input":${input},"${isUserId ? 'user_id' : 'wa_id'}":"${person}"}],` +
    `"messages":[{"id":"${id}"${status && `,"message_status":"${status}"`}}]}`
  )
}

/** The platform knows people in Mexico and Brazil by another number than the one dialled today. */
function dialled(digits: string): string {
  if (/^52[^1]\d{9}$/.test(digits)) return `521${digits.slice(2)}`
  if (/^55\d{2}9\d{8}$/.test(digits)) return digits.slice(0, 4) + digits.slice(5)
  return digits
}
