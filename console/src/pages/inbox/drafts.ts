import { onSignOut } from '../../data/session.tsx'
import type { NewOutgoing, Outgoing } from '../../records/messages/outbox.ts'
import { createStore } from '../../ui/store.ts'

export interface Draft {
  text: string
  files: File[]
  /** The saved reply that it began with. */
  savedReplyId?: string | undefined
}

/** A message that was taken back and does not fit into the text field: a template, buttons, a location or contact cards. */
export interface TakenBack {
  /** Its idempotency key when it was held. */
  key: string
  message: NewOutgoing
}

const none: Draft = { text: '', files: [] }
const noMessages: TakenBack[] = []
/** Unsent drafts by conversation, kept while another one is open. */
const drafts = createStore<ReadonlyMap<string, Draft>>(new Map())
const takenBack = createStore<ReadonlyMap<string, TakenBack[]>>(new Map())
onSignOut({
  after() {
    drafts.set(new Map())
    takenBack.set(new Map())
  },
})

/** The draft as it is now: callbacks of requests may run after the member went on writing. */
export const draftOf = (ticketId: string): Draft => drafts.get().get(ticketId) ?? none

export const useDraft = (ticketId: string): Draft => drafts.useValue((all) => all.get(ticketId) ?? none)

export const setDraft = (ticketId: string, draft: Draft) => drafts.set(new Map(drafts.get()).set(ticketId, draft))

export const useTakenBack = (ticketId: string): TakenBack[] =>
  takenBack.useValue((all) => all.get(ticketId) ?? noMessages)

export function removeTakenBack(ticketId: string, key: string): void {
  const kept = (takenBack.get().get(ticketId) ?? noMessages).filter((each) => each.key !== key)
  takenBack.set(new Map(takenBack.get()).set(ticketId, kept))
}

export const hasDraft = (ticketId: string): boolean => {
  const { text, files } = draftOf(ticketId)
  return text.trim() !== '' || files.length > 0
}

/** Puts text and files that were taken back before what was written since. */
export function putBack(
  ticketId: string,
  messages: (Pick<Outgoing, 'body' | 'file'> & Pick<Draft, 'savedReplyId'>)[],
): void {
  if (messages.length === 0) return
  const { text, files, savedReplyId } = draftOf(ticketId)
  setDraft(ticketId, {
    text: [...messages.map(({ body }) => body), text].filter(Boolean).join('\n'),
    files: [...messages.flatMap(({ file }) => file ?? []), ...files],
    savedReplyId: messages[0]?.savedReplyId ?? savedReplyId,
  })
}

/** Keeps messages that were taken back, each for its own form. */
export function keepTakenBack(ticketId: string, messages: Outgoing[]): void {
  if (messages.length === 0) return
  const added = messages.map(({ key, body, quoted, template, rich }): TakenBack => {
    const message = { body, ...(quoted && { quoted }), ...(template && { template }), ...(rich && { rich }) }
    return { key, message }
  })
  const before = takenBack.get().get(ticketId) ?? noMessages
  takenBack.set(new Map(takenBack.get()).set(ticketId, [...before, ...added]))
}
