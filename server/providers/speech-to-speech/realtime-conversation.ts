import { randomBytes } from 'node:crypto'
import { lowerCaseWords } from '../../platform/lower-case-words.ts'
import type { LlmMessage, LlmToolCall } from '../llm/contract.ts'
import type { Message } from './realtime-connection.ts'

/** Something that the caller said: committed audio, or a text in its place. */
export interface CallerItem {
  id: string | undefined
  /** Its transcript, once it is there. */
  text: string
}

/** Something that the model said. */
interface AgentItem {
  id: string
  receivedMs: number
  /** Whether all of its audio was received. After a cancellation the session may have more. */
  isComplete: boolean
  heardMs: number
}

/** Keeps the conversation of a session equal to the history of the call, which decides what was said. */
export interface RealtimeConversation {
  /** Audio of the caller was committed. */
  add(item: CallerItem): void
  /** It was no turn. */
  remove(item: CallerItem): void
  /** The model is about to speak: until something of it is heard, it is removed before the next answer. */
  speaks(id: string): AgentItem
  /** The model called this tool itself. */
  called(id: string): void
  /** Before an answer to these messages. */
  prepare(messages: LlmMessage[]): void
}

type Item = Record<string, unknown>

const newItemId = () => `item_${randomBytes(10).toString('hex')}`

const plain = (text: string): string => lowerCaseWords(text).join(' ')

export function createRealtimeConversation(send: (message: Message) => void): RealtimeConversation {
  /** Ids in their order, up to the caller's unanswered turn. */
  const settled: string[] = []
  /** What the caller said since. */
  let pending: CallerItem[] = []
  /** What the model said and no history has shown yet. */
  let spoken: AgentItem[] = []
  /** The turn that the model was last asked to answer. */
  let asked: { text: string; items: CallerItem[] } | undefined
  /** Tool calls that the session has, and whether it has their results. */
  const hasResult = new Map<string, boolean>()
  /** How many messages of the history the session has. */
  let known = 0

  const drop = (id: string | undefined) => id && send({ type: 'conversation.item.delete', item_id: id })

  function create(item: Item): string {
    const id = newItemId()
    const previous_item_id = settled.at(-1) ?? 'root'
    send({ type: 'conversation.item.create', previous_item_id, item: { id, ...item } })
    settled.push(id)
    return id
  }

  const message = (role: 'user' | 'assistant', text: string) => ({
    type: 'message',
    role,
    content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
  })

  /** Removes the part of the model's speech that the caller has not heard. */
  function cutSpeech(): void {
    for (const { id, receivedMs, isComplete, heardMs } of spoken) {
      const audio_end_ms = Math.floor(Math.min(heardMs, receivedMs))
      if (heardMs <= 0) drop(id)
      else if (!isComplete || heardMs < receivedMs)
        send({ type: 'conversation.item.truncate', item_id: id, content_index: 0, audio_end_ms })
    }
    spoken = spoken.filter(({ heardMs }) => heardMs > 0)
  }

  function addHistory(history: LlmMessage[]): void {
    for (const [index, given] of history.entries()) {
      if (given.role === 'tool') continue
      if (given.role === 'user') {
        if (asked && given.text === asked.text) {
          const { items } = asked
          settled.push(...items.flatMap(({ id }) => id ?? []))
          pending = pending.filter((item) => !items.includes(item))
        } else create(message('user', given.text))
        continue
      }
      addTools(given.toolCalls, history[index + 1])
      if (given.text === '') continue
      if (spoken.length > 0) settled.push(...spoken.splice(0).map(({ id }) => id))
      else create(message('assistant', given.text))
    }
  }

  /** Adds the results that the session lacks, and calls that another model made. */
  function addTools(calls: LlmToolCall[], after: LlmMessage | undefined, add: (item: Item) => void = create): void {
    const results = after?.role === 'tool' ? after.results : []
    for (const { id, name, arguments: given } of calls) {
      const result = results.find((each) => each.id === id)
      if (!result || hasResult.get(id)) continue
      if (!hasResult.has(id)) add({ type: 'function_call', call_id: id, name, arguments: JSON.stringify(given) })
      add({ type: 'function_call_output', call_id: id, output: result.result })
      hasResult.set(id, true)
    }
  }

  /** Leaves of the caller's audio what makes up this turn. If that is not all of it, the text takes its place. */
  function keepTurn(text: string): void {
    const wanted = plain(text)
    const parts = pending.filter((item) => item.text !== '' && wanted.includes(plain(item.text)))
    const isComplete = wanted !== '' && plain(parts.map((item) => item.text).join(' ')) === wanted
    const kept = isComplete ? parts : []
    for (const { id } of pending.filter((item) => !kept.includes(item))) drop(id)
    pending = kept
    if (!isComplete) {
      const id = create(message('user', text))
      // Its place is before what the caller says next, like audio.
      settled.pop()
      pending = [{ id, text }]
    }
    asked = { text, items: [...pending] }
  }

  return {
    add: (item) => void pending.push(item),
    remove(item) {
      pending = pending.filter((other) => other !== item)
      drop(item.id)
    },
    speaks(id) {
      const announced = spoken.find((item) => item.id === id)
      if (announced) return announced
      const item = { id, receivedMs: 0, isComplete: false, heardMs: 0 }
      spoken.push(item)
      return item
    },
    called: (id) => void hasResult.set(id, false),
    prepare(messages) {
      const [before, last] = [messages.at(-2), messages.at(-1)]
      if (last?.role === 'tool') {
        const calls = before?.role === 'assistant' ? before.toolCalls : []
        return addTools(calls, last, (item) =>
          send({ type: 'conversation.item.create', item: { id: newItemId(), ...item } }),
        )
      }
      cutSpeech()
      const history = messages.slice(0, -1)
      addHistory(history.slice(known))
      known = history.length
      spoken = []
      if (last?.role === 'user') keepTurn(last.text)
    },
  }
}
