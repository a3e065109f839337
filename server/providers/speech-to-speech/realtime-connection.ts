import { randomUUID } from 'node:crypto'
import { WebSocket } from 'ws'
import { guardListeners } from '../../platform/guard-listeners.ts'
import { createArrivals } from '../speech/arrivals.ts'
import { SpeechError } from '../speech/contract.ts'
import { refusal } from '../speech/hosted-request.ts'
import { startTimeLimit } from './time-limit.ts'

/** A message of OpenAI's Realtime protocol. */
export type Message = Record<string, unknown> & { type: string }

export interface RealtimeLimits {
  /** Until the session is set up. */
  startMs: number
  /** Until the first output of a response. */
  firstOutputMs: number
  /** Between two messages of a response. */
  pauseMs: number
  /** Until the transcript of committed audio. */
  transcriptMs: number
}

interface ConnectionOptions {
  /** `https://api.openai.com/v1`. */
  baseUrl: string
  apiKey: string | undefined
  model: string
  limits: RealtimeLimits
  /** Called with every message that belongs to no response. */
  onMessage(message: Message): void
  /** Called at the end of every response in the conversation, also if its reader has left. */
  onDone(message: Message): void
  onLost(error: SpeechError): void
}

/** A socket of the Realtime API. Messages are kept until the session is set up. */
export interface RealtimeConnection {
  /** Connects and sets up the session. Only the first call counts. */
  open(session: Record<string, unknown>): void
  send(message: Message): void
  /**
   * Asks for a response and returns its messages, `response.done` being the last one. Leaving the loop early cancels the
   * response. Throws `SpeechError`, or the signal's reason.
   */
  respond(response: Record<string, unknown>, signal: AbortSignal): AsyncIterable<Message>
  /** Resolves once no response is being added to the conversation. */
  idle(): Promise<void>
  lost(): SpeechError | undefined
  lose(error: SpeechError): void
}

interface Response {
  id: string | undefined
  isCancelled: boolean
  /** Tool calls that the model has begun. */
  openCalls: Set<string>
  created(): void
  arrived(message: Message): void
  fail(error: SpeechError): void
}

interface Item {
  id: string
  type: string
}

const name = 'OpenAI Realtime'
/** Audio that waits for the session: one turn. */
const mostWaiting = 2_000
/** A cancelled response is over soon. */
const mostIdleMs = 1_000

export function createRealtimeConnection(options: ConnectionOptions): RealtimeConnection {
  const { limits } = options
  let socket: WebSocket | undefined
  let isReady = false
  let waiting: Message[] = []
  let lost: SpeechError | undefined
  let clearStart = () => {}
  /** Responses that are not done, by the id of their request. */
  const responses = new Map<string, Response>()
  /** Requests of responses that are added to the conversation, and who waits for their end. */
  const inConversation = new Set<string>()
  const whenIdle: (() => void)[] = []

  function open(session: Record<string, unknown>): void {
    if (socket || lost) return
    const url = new URL(`${options.baseUrl.replace(/\/+$/, '').replace(/^http/, 'ws')}/realtime`)
    url.searchParams.set('model', options.model)
    const headers = options.apiKey ? { authorization: `Bearer ${options.apiKey}` } : {}
    const opening = new WebSocket(url, { headers })
    socket = opening
    guardListeners(opening, (error) => lose(new SpeechError('retry', `${name} sent what cannot be read.`, error)))
    opening.on('message', (data) => {
      const message = JSON.parse(String(data)) as Message
      if (message.type === 'session.created')
        opening.send(JSON.stringify({ type: 'session.update', event_id: 'setup', session }))
      else if (message.type === 'session.updated') ready(opening)
      else receive(message)
    })
    opening.on('unexpected-response', (_request, response) => {
      response.destroy()
      lose(refusal(name, response.statusCode ?? 500))
    })
    opening.on('error', () => lose(new SpeechError('retry', `The connection to ${name} failed.`)))
    opening.on('close', () => lose(new SpeechError('retry', `${name} closed the connection.`)))
    clearStart = startTimeLimit(limits.startMs, () => lose(new SpeechError('retry', `${name} took too long to start.`)))
  }

  function ready(opened: WebSocket): void {
    clearStart()
    isReady = true
    for (const message of waiting.splice(0)) opened.send(JSON.stringify(message))
  }

  function receive(message: Message) {
    if (message.type === 'error') return refuse(message)
    const response = message.response as { id?: string; metadata?: { request?: string } | null } | undefined
    if (message.type === 'response.created') {
      const found = responses.get(response?.metadata?.request ?? '')
      if (!found) return
      found.id = response?.id
      found.created()
      if (found.isCancelled) cancel(found)
      return
    }
    const responseId = message.response_id ?? response?.id
    const request = [...responses].find(([, { id }]) => id !== undefined && id === responseId)
    if (!request) return options.onMessage(message)
    const [id, answer] = request
    answer.arrived(message)
    if (message.type === 'response.output_item.added') itemAdded(answer, message.item as Item, inConversation.has(id))
    else if (message.type === 'response.output_item.done') answer.openCalls.delete((message.item as Item).id)
    if (message.type !== 'response.done') return
    if (inConversation.has(id)) options.onDone(message)
    over(id)
  }

  /** After a cancellation, what is still said was not heard, and what is called does not run. */
  function itemAdded(answer: Response, item: Item, isKept: boolean): void {
    if (!isKept) return
    if (answer.isCancelled) send({ type: 'conversation.item.delete', item_id: item.id })
    else if (item.type === 'function_call') answer.openCalls.add(item.id)
  }

  /** An error names the message that it answers. Its own words may contain what was said. */
  function refuse(message: Message) {
    const { event_id, code, type } = (message.error ?? {}) as { event_id?: string; code?: string; type?: string }
    const cause = [code ?? type].flat().join()
    if (event_id === 'setup') return lose(new SpeechError('fail', `${name} refused the settings (${cause}).`))
    const response = responses.get(event_id ?? '')
    if (!response) return options.onMessage(message)
    response.fail(new SpeechError('retry', `${name} refused to answer (${cause}).`))
    over(event_id as string)
  }

  function over(request: string): void {
    responses.delete(request)
    inConversation.delete(request)
    if (inConversation.size === 0) for (const resolve of whenIdle.splice(0)) resolve()
  }

  function lose(error: SpeechError): void {
    if (lost) return
    lost = error
    clearStart()
    socket?.terminate()
    waiting = []
    for (const [request, { fail }] of responses) {
      fail(error)
      over(request)
    }
    options.onLost(error)
  }

  function send(message: Message): void {
    if (lost) return
    if (isReady) socket?.send(JSON.stringify(message))
    else if (waiting.length < mostWaiting) waiting.push(message)
  }

  function cancel(response: Response): void {
    response.isCancelled = true
    if (response.id) send({ type: 'response.cancel', response_id: response.id })
    for (const item_id of response.openCalls) send({ type: 'conversation.item.delete', item_id })
    response.openCalls.clear()
  }

  async function* respond(params: Record<string, unknown>, signal: AbortSignal): AsyncIterable<Message> {
    signal.throwIfAborted()
    if (lost) throw lost
    const request = randomUUID()
    const arrivals = createArrivals<Message>(signal)
    const late = () => lose(new SpeechError('retry', `${name} took too long to answer.`))
    let clearLimit = startTimeLimit(limits.startMs + limits.firstOutputMs, late)
    const response: Response = {
      id: undefined,
      isCancelled: false,
      openCalls: new Set(),
      created() {
        clearLimit()
        if (!response.isCancelled) clearLimit = startTimeLimit(limits.firstOutputMs, late)
      },
      arrived(message) {
        clearLimit()
        // Items are announced before there is anything to hear.
        const isOutput = /delta$|\.done$/.test(message.type)
        if (!response.isCancelled) clearLimit = startTimeLimit(isOutput ? limits.pauseMs : limits.firstOutputMs, late)
        arrivals.push(message)
        if (message.type === 'response.done') arrivals.end()
      },
      fail: (error) => arrivals.fail(error),
    }
    responses.set(request, response)
    if (params.conversation !== 'none') inConversation.add(request)
    send({ type: 'response.create', event_id: request, response: { ...params, metadata: { request } } })
    try {
      yield* arrivals
    } finally {
      clearLimit()
      if (responses.has(request)) cancel(response)
    }
  }

  return {
    open,
    send,
    respond,
    lose,
    lost: () => lost,
    async idle() {
      if (inConversation.size === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      whenIdle.push(resolve)
      const timer = setTimeout(resolve, mostIdleMs)
      await promise
      clearTimeout(timer)
    },
  }
}
