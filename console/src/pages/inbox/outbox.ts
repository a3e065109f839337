import { ApiError, type api as types } from '@frontdesk/sdk'
import { useSyncExternalStore } from 'react'
import { api } from '../../data/api.ts'
import { errorText } from '../../ui/error-text.ts'

/** A message being sent. It is shown at once, and kept with a reason if sending fails. */
export interface Outgoing {
  /** Also the idempotency key of the request. */
  key: string
  ticketId: string
  body: string
  file?: File
  quoted?: types.Message
  /** The saved reply that it was written with. */
  savedReplyId?: string
  template?: { id: string; variables: Record<string, string> }
  /** Something to tap, a place or contact cards: the request in place of `body`. */
  rich?: Pick<types.NewMessage, 'body' | 'interactive' | 'location' | 'contacts'>
  /** The newest message at the time of writing. */
  after: string | undefined
  state: 'waiting' | 'sending' | 'failed'
  reason?: string
}

export type NewOutgoing = Omit<Outgoing, 'key' | 'state' | 'reason'>

/** Callbacks for the result, which also run after the page was left. */
export interface Sent {
  onSent(message: types.Message): void
  /** WhatsApp rejected it; the thread contains it as failed. */
  onRefused(ticketId: string): void
}

// Module state, so that leaving the page loses nothing.
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

/** Retries with the same key if the outcome is unknown. A rejected request got a new key. */
export function retry(key: string, sent: Sent): void {
  const message = outgoing.find((each) => each.key === key)
  if (message?.state !== 'failed') return
  update(key, { state: 'waiting' })
  void work(message.ticketId, sent)
}

export const discard = (key: string) => change(outgoing.filter((each) => each.key !== key))

/** Sends the messages of a conversation one after the other, to keep their order. */
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
    // The service replays its response for a key, so a rejected request needs a new one.
    update(key, { state: 'failed', reason: errorText(error), ...(isRefusal && { key: newKey() }) })
  }
}

const hasMessageId = (body: unknown) => typeof body === 'object' && body !== null && 'message_id' in body

function bodyOf(message: Outgoing): types.NewMessage | types.NewMessageForm {
  const { body, file, quoted, savedReplyId, template, rich } = message
  const context = quoted ? { context_message_id: quoted.chat_message_id } : {}
  const reply = { ...context, ...(savedReplyId && { saved_reply_id: savedReplyId }) }
  if (template) return { template_id: template.id, template_variables: template.variables, ...context }
  if (rich) return { ...rich, ...context }
  return file ? { file, ...(body && { body }), ...reply } : { body, ...reply }
}

const subscribe = (watcher: () => void) => {
  watchers.add(watcher)
  return () => {
    watchers.delete(watcher)
  }
}

/** Messages being sent in a conversation, without those that the thread already shows. */
export function useOutgoing(ticketId: string, messages: types.Message[]): Outgoing[] {
  const all = useSyncExternalStore(subscribe, () => outgoing)
  const own = all.filter((each) => each.ticketId === ticketId)
  if (own.length === 0) return own
  const taken = new Set<string>()
  return own.filter(({ after, body, file, template, rich, state }) => {
    if (state === 'failed') return true
    const from = messages.findIndex(({ id }) => id === after) + 1
    const arrived = messages
      .slice(from)
      .find(
        (each) =>
          each.direction === 'outbound' &&
          !taken.has(each.id) &&
          (template || rich
            ? each.payload?.[template ? 'template' : 'type'] !== undefined
            : (each.body === body || body.includes('{{')) && Boolean(each.media_url) === Boolean(file)),
      )
    if (arrived) taken.add(arrived.id)
    return !arrived
  })
}
