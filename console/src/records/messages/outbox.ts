import { ApiError, type Client, type api as types } from '@frontdesk/sdk'
import { useEffect } from 'react'
import { apiWith } from '../../data/api.ts'
import { onSignOut } from '../../data/session.tsx'
import { errorText } from '../../ui/error-text.ts'
import { createStore } from '../../ui/store.ts'
import { showFault } from '../../ui/undo.tsx'
import { undoSeconds } from './undo-seconds.ts'

/** A message being sent. It is shown at once, and kept with a reason if sending fails. */
export interface Outgoing {
  /** Also the idempotency key of the request. */
  key: string
  /** Messages that were submitted together have the same, and are taken back together. */
  batch: string
  /** With the mode and organization in which it was written: the member may change either before it is sent. */
  client: Client
  ticketId: string
  contactId: string
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
  /** While it is held, the member can take it back. */
  state: 'held' | 'waiting' | 'sending' | 'failed'
  reason?: string
}

/** A message as a form submits it. */
export type NewOutgoing = Omit<
  Outgoing,
  'key' | 'batch' | 'client' | 'ticketId' | 'contactId' | 'after' | 'state' | 'reason'
>

type Where = Pick<Outgoing, 'ticketId' | 'contactId' | 'after'>

/** Callbacks for the result, which also run after the page was left. */
export interface Sent {
  onSent(message: types.Message): void
  /** WhatsApp rejected it; the thread contains it as failed. */
  onRefused(ticketId: string): void
  openTicket(ticketId: string): void
}

const outgoing = createStore<Outgoing[]>([])
/** Conversations whose messages are being sent, until none waits. */
const working = new Map<string, Promise<void>>()
/** The open conversation shows its failed messages. */
let openTicketId: string | undefined

const update = (key: string, changes: Partial<Outgoing>) =>
  outgoing.set(outgoing.get().map((each) => (each.key === key ? { ...each, ...changes } : each)))

const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (n) => n.toString(16).padStart(2, '0')).join('')

/** Batches that are held. */
const held = new Map<string, { where: Where; release(): void; timer: ReturnType<typeof setTimeout> }>()

const releaseAll = () => {
  for (const { release } of held.values()) release()
}

/** Sends what is held, and resolves when every message was sent or has failed. */
async function flush(): Promise<void> {
  releaseAll()
  await Promise.all(working.values())
}

/** The same for one conversation, before a change that must come after its messages. */
export async function releaseNow(ticketId: string): Promise<void> {
  for (const { where, release } of held.values()) if (where.ticketId === ticketId) release()
  await working.get(ticketId)
}

/** The same for all conversations of a contact. */
export async function releaseTo(contactId: string): Promise<void> {
  const own = outgoing.get().filter((each) => each.contactId === contactId)
  await Promise.all([...new Set(own.map(({ ticketId }) => ticketId))].map(releaseNow))
}

/** The next member at this browser must neither see nor send these messages. */
function empty(): void {
  for (const { timer } of held.values()) clearTimeout(timer)
  held.clear()
  if (outgoing.get().some(({ state }) => state === 'held' || state === 'waiting'))
    showFault(new Error('You were signed out before it was sent.'), 'Message not sent')
  outgoing.set([])
}
onSignOut({ before: flush, after: empty })

let isLeaving = false
/** The member cannot press Undo on a hidden page, and the page may be closed before the time is over. */
function leave(): void {
  isLeaving = true
  releaseAll()
}
addEventListener('pagehide', leave)
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') leave()
  else isLeaving = false
})
// Only one small message outlives the page. For more than that, the browser asks whether to leave.
addEventListener('beforeunload', (event) => {
  const pending = outgoing.get().filter(({ state }) => state !== 'failed')
  if (pending.length > 1 || pending[0]?.file) event.preventDefault()
})

/** Browsers limit requests that outlive the page to 64 KB: files are not among them. */
const fetchOnLeaving: typeof fetch = (url, init) =>
  fetch(url, { ...init, keepalive: isLeaving && typeof init?.body === 'string' })

/** The only way to send: the member can take every message back for as long as the setting says. */
export function send(messages: NewOutgoing[], where: Where, sent: Sent): void {
  const seconds = undoSeconds()
  const batch = newKey()
  const common = { ...where, batch, client: apiWith({ fetch: fetchOnLeaving }) }
  outgoing.set([
    ...outgoing.get(),
    ...messages.map((message): Outgoing => ({ ...message, ...common, key: newKey(), state: 'held' })),
  ])
  const release = () => {
    clearTimeout(held.get(batch)?.timer)
    held.delete(batch)
    outgoing.set(outgoing.get().map((each) => (each.batch === batch ? { ...each, state: 'waiting' } : each)))
    void work(where.ticketId, sent)
  }
  if (seconds === 0) release()
  else held.set(batch, { where, release, timer: setTimeout(release, seconds * 1000) })
}

/** Takes back the messages that were submitted together. None once they are being sent. */
export function takeBack(batch: string): Outgoing[] {
  const found = held.get(batch)
  if (!found) return []
  clearTimeout(found.timer)
  held.delete(batch)
  const taken = outgoing.get().filter((each) => each.batch === batch)
  outgoing.set(outgoing.get().filter((each) => each.batch !== batch))
  return taken
}

/** Retries with the same key if the outcome is unknown. A rejected request got a new key. */
export function retry(key: string, sent: Sent): void {
  const message = outgoing.get().find((each) => each.key === key)
  if (message?.state !== 'failed') return
  update(key, { state: 'waiting' })
  void work(message.ticketId, sent)
}

export const discard = (key: string) => outgoing.set(outgoing.get().filter((each) => each.key !== key))

/** Sends the messages of a conversation one after the other, to keep their order. */
async function work(ticketId: string, sent: Sent): Promise<void> {
  if (working.has(ticketId)) return
  const { promise, resolve } = Promise.withResolvers<void>()
  working.set(ticketId, promise)
  try {
    for (;;) {
      const next = outgoing.get().find((each) => each.ticketId === ticketId && each.state === 'waiting')
      if (!next) return
      await deliver(next, sent)
    }
  } finally {
    working.delete(ticketId)
    resolve()
  }
}

async function deliver(message: Outgoing, { onSent, onRefused, openTicket }: Sent): Promise<void> {
  const { key, ticketId, client } = message
  update(key, { state: 'sending' })
  try {
    onSent(await client.inbox.sendMessage(ticketId, bodyOf(message), { idempotencyKey: key, timeoutMs: 120_000 }))
    discard(key)
  } catch (error) {
    // Signed out, or in another conversation, the member does not see it fail.
    if (openTicketId !== ticketId || !outgoing.get().some((each) => each.key === key))
      showFault(error, 'Message not sent', { label: 'Open conversation', run: () => openTicket(ticketId) })
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

/** Messages being sent in a conversation, without those that the thread already shows. */
export function useOutgoing(ticketId: string, messages: types.Message[]): Outgoing[] {
  const all = outgoing.useValue((all) => all)
  useEffect(() => {
    openTicketId = ticketId
    return () => {
      openTicketId = undefined
    }
  }, [ticketId])
  const own = all.filter((each) => each.ticketId === ticketId)
  if (own.length === 0) return own
  const taken = new Set<string>()
  return own.filter(({ after, body, file, template, rich, state }) => {
    if (state === 'failed' || state === 'held') return true
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
