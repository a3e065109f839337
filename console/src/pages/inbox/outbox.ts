import { ApiError, type api as types } from '@frontdesk/sdk'
import { useSyncExternalStore } from 'react'
import { api } from '../../data/api.ts'
import { errorText } from '../../ui/error-text.ts'

/** A message on its way: shown at once, and kept with a reason when it does not get through. */
export interface Outgoing {
  /** Also what makes the service send it once, however often it is asked. */
  key: string
  ticketId: string
  body: string
  file?: File
  quoted?: types.Message
  template?: { id: string; variables: Record<string, string> }
  /** The newest message that was there when it was written. */
  after: string | undefined
  state: 'waiting' | 'sending' | 'failed'
  reason?: string
}

export type NewOutgoing = Omit<Outgoing, 'key' | 'state' | 'reason'>

/** What becomes of a message is told to whoever started it, also when the page was left meanwhile. */
export interface Sent {
  onSent(message: types.Message): void
  /** The platform refused it: the thread has it as failed. */
  onRefused(ticketId: string): void
}

// Outside of the page, so that going elsewhere and back loses nothing.
let outgoing: Outgoing[] = []
const watchers = new Set<() => void>()
const working = new Set<string>()

function change(next: Outgoing[]): void {
  outgoing = next
  for (const watcher of watchers) watcher()
}
const update = (key: string, changes: Partial<Outgoing>) =>
  change(outgoing.map((each) => (each.key === key ? { ...each, ...changes } : each)))

const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (n) => n.toString(16).padStart(2, '0')).join('')

export function send(message: NewOutgoing, sent: Sent): void {
  change([...outgoing, { ...message, key: newKey(), state: 'waiting' }])
  void work(message.ticketId, sent)
}

/** Asked again with the same key where nobody knows what became of it; a plain refusal was no sending. */
export function retry(key: string, sent: Sent): void {
  const message = outgoing.find((each) => each.key === key)
  if (message?.state !== 'failed') return
  update(key, { state: 'waiting' })
  void work(message.ticketId, sent)
}

export const discard = (key: string) => change(outgoing.filter((each) => each.key !== key))

/** One after the other, so that they arrive in the order in which they were written. */
async function work(ticketId: string, sent: Sent): Promise<void> {
  if (working.has(ticketId)) return
  working.add(ticketId)
  try {
    for (;;) {
      const next = outgoing.find((each) => each.ticketId === ticketId && each.state === 'waiting')
      if (!next) return
      await deliver(next, sent)
    }
  } finally {
    working.delete(ticketId)
  }
}

async function deliver(message: Outgoing, { onSent, onRefused }: Sent): Promise<void> {
  const { key, ticketId } = message
  update(key, { state: 'sending' })
  try {
    onSent(await api.inbox.sendMessage(ticketId, bodyOf(message), { idempotencyKey: key, timeoutMs: 120_000 }))
    discard(key)
  } catch (error) {
    if (error instanceof ApiError && error.status === 502 && hasMessageId(error.body)) {
      discard(key)
      onRefused(ticketId)
      return
    }
    const isRefusal = error instanceof ApiError && error.status < 500
    // The service remembers what it answered to a key: what it refused has to be asked anew.
    update(key, { state: 'failed', reason: errorText(error), ...(isRefusal && { key: newKey() }) })
  }
}

const hasMessageId = (body: unknown) => typeof body === 'object' && body !== null && 'message_id' in body

function bodyOf({ body, file, quoted, template }: Outgoing): types.NewMessage | types.NewMessageForm {
  const context = quoted ? { context_message_id: quoted.chat_message_id } : {}
  if (template) return { template_id: template.id, template_variables: template.variables, ...context }
  return file ? { file, ...(body && { body }), ...context } : { body, ...context }
}

const subscribe = (watcher: () => void) => {
  watchers.add(watcher)
  return () => {
    watchers.delete(watcher)
  }
}

/** What is on its way in a conversation, without those that have arrived in the thread while their answer is still coming. */
export function useOutgoing(ticketId: string, messages: types.Message[]): Outgoing[] {
  const all = useSyncExternalStore(subscribe, () => outgoing)
  const own = all.filter((each) => each.ticketId === ticketId)
  if (own.length === 0) return own
  const taken = new Set<string>()
  return own.filter(({ after, body, file, template, state }) => {
    if (state === 'failed') return true
    const from = messages.findIndex(({ id }) => id === after) + 1
    const arrived = messages
      .slice(from)
      .find(
        (each) =>
          each.direction === 'outbound' &&
          !taken.has(each.id) &&
          (template
            ? each.payload?.template !== undefined
            : each.body === body && Boolean(each.media_url) === Boolean(file)),
      )
    if (arrived) taken.add(arrived.id)
    return !arrived
  })
}
