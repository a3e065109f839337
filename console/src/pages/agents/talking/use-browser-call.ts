import type { api as types } from '@frontdesk/sdk'
import { useCallback, useEffect, useRef, useState } from 'react'
import { api } from '../../../data/api.ts'
import { errorText } from '../../../ui/error-text.ts'
import { type Audio, openAudio } from './open-audio.ts'

type Phase = 'idle' | 'starting' | 'talking' | 'ending' | 'ended'

interface TranscriptEntry {
  key: number
  kind: 'caller' | 'agent' | 'tool'
  text: string
  isInterrupted?: boolean | undefined
  isError?: boolean
}

interface State {
  phase: Phase
  callId?: string
  startedAt?: number
  entries: TranscriptEntry[]
  /** The partial transcript. */
  partial: string
  isAgentSpeaking: boolean
  isMuted: boolean
  endedReason?: types.Call['ended_reason']
  /** What went wrong, and what to do. */
  problem?: string
}

const nothing: State = { phase: 'idle', entries: [], partial: '', isAgentSpeaking: false, isMuted: false }

type Message =
  | { type: 'session.started' | 'agent.speech_started' | 'agent.speech_stopped' | 'clear' }
  | { type: 'transcript.partial'; text: string }
  | { type: 'transcript.final'; segment: types.TranscriptSegment }
  | { type: 'tool.call'; name: string }
  | { type: 'tool.result'; name: string; ok: boolean }
  | { type: 'session.ended'; reason: NonNullable<types.Call['ended_reason']> }

/** Recent audio levels, for the level meter. */
export interface Levels {
  caller: number
  agent: number
}

/** A call with an agent through this browser's microphone and speaker. */
export function useBrowserCall(agentId: string) {
  const [state, setState] = useState<State>(nothing)
  const levels = useRef<Levels>({ caller: 0, agent: 0 })
  const running = useRef<{ socket?: WebSocket; audio?: Audio; isOver: boolean }>(undefined)
  const patch = useCallback((changes: Partial<State>) => setState((now) => ({ ...now, ...changes })), [])

  const release = useCallback(() => {
    const call = running.current
    running.current = undefined
    if (!call) return
    call.isOver = true
    call.audio?.close()
    if (call.socket && call.socket.readyState <= WebSocket.OPEN) call.socket.close(1000)
    levels.current = { caller: 0, agent: 0 }
  }, [])

  // Leaving the page ends the call.
  useEffect(() => release, [release])

  const start = useCallback(
    async (variables: Record<string, string> = {}) => {
      release()
      const call: NonNullable<typeof running.current> = { isOver: false }
      running.current = call
      setState({ ...nothing, phase: 'starting' })
      const fail = (problem: string) => {
        if (call.isOver) return
        release()
        setState((now) => ({ ...now, phase: 'ended', partial: '', isAgentSpeaking: false, problem }))
      }
      try {
        call.audio = await openAudio({
          onFrame(frame) {
            if (call.socket?.readyState === WebSocket.OPEN) call.socket.send(frame)
          },
          onLevel: (who, level) => {
            levels.current[who] = Math.max(level, levels.current[who] * 0.8)
          },
          onLost: () => fail('The microphone was disconnected, so the call ended.'),
        })
        if (call.isOver) return call.audio.close()
        const { id, ws_url, access_token } = await api.calls.createWeb({ agent_id: agentId, variables })
        if (call.isOver) return
        patch({ callId: id })
        call.socket = new WebSocket(addressHere(ws_url), ['frontdesk', access_token ?? ''])
        listen(call.socket, call.audio, { patch, setState, release, fail, isOver: () => call.isOver })
      } catch (error) {
        fail(errorText(error))
      }
    },
    [agentId, patch, release],
  )

  const hangUp = useCallback(() => {
    const { socket } = running.current ?? {}
    if (socket?.readyState !== WebSocket.OPEN) {
      release()
      return setState((now) => ({ ...now, phase: now.callId ? 'ended' : 'idle' }))
    }
    socket.send(JSON.stringify({ type: 'hangup' }))
    release()
    setState((now) => ({ ...now, phase: 'ended', partial: '', isAgentSpeaking: false, endedReason: 'caller_hung_up' }))
  }, [release])

  const setMuted = useCallback(
    (isMuted: boolean) => {
      running.current?.audio?.setMuted(isMuted)
      patch({ isMuted })
    },
    [patch],
  )

  const press = useCallback((digit: string) => {
    const { socket } = running.current ?? {}
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: 'digit', digit }))
  }, [])

  return { ...state, levels, start, hangUp, setMuted, press, reset: () => setState(nothing) }
}

/** The service may have another public address than this page's origin. */
function addressHere(address: string): string {
  const { pathname, search } = new URL(address)
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${pathname}${search}`
}

let keys = 0

function listen(
  socket: WebSocket,
  audio: Audio,
  call: {
    patch(changes: Partial<State>): void
    setState(change: (now: State) => State): void
    release(): void
    fail(problem: string): void
    isOver(): boolean
  },
): void {
  const { patch, setState } = call
  const add = (entry: Omit<TranscriptEntry, 'key'>) =>
    setState((now) => ({ ...now, partial: '', entries: [...now.entries, { ...entry, key: ++keys }] }))
  const hear: { [T in Message['type']]: (message: Extract<Message, { type: T }>) => void } = {
    'session.started': () => patch({ phase: 'talking', startedAt: Date.now() }),
    'agent.speech_started': () => patch({ isAgentSpeaking: true }),
    'agent.speech_stopped'() {
      audio.flush()
      patch({ isAgentSpeaking: false })
    },
    clear: () => audio.clear(),
    'transcript.partial': ({ text }) => patch({ partial: text }),
    'transcript.final': ({ segment: { speaker, text, interrupted } }) =>
      add({ kind: speaker, text, isInterrupted: interrupted }),
    'tool.call': ({ name }) => add({ kind: 'tool', text: `Using ${name}` }),
    'tool.result': ({ name, ok }) => {
      if (!ok) add({ kind: 'tool', text: `${name} failed`, isError: true })
    },
    'session.ended'({ reason }) {
      call.release()
      setState((now) => ({ ...now, phase: 'ended', partial: '', isAgentSpeaking: false, endedReason: reason }))
    },
  }
  socket.binaryType = 'arraybuffer'
  socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer | string>) => {
    if (call.isOver()) return
    if (typeof data !== 'string') return audio.play(data)
    const message = JSON.parse(data) as Message
    ;(hear[message.type] as ((message: Message) => void) | undefined)?.(message)
  })
  // A refused token ends the handshake: the socket closes without ever having been open.
  let wasOpen = false
  socket.addEventListener('open', () => {
    wasOpen = true
  })
  socket.addEventListener('close', ({ code }) => {
    call.fail(
      code === 1008 || !wasOpen
        ? 'The call could not be connected. Try again.'
        : 'The connection was lost and the call ended. The transcript so far is in the call log.',
    )
  })
}
