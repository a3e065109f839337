import type { api as types } from '@frontdesk/sdk'
import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconHeadphones, IconHeadphonesOff } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../data/api.ts'
import { errorText } from '../../ui/error-text.ts'
import { type ListeningAudio, openListening } from './open-listening.ts'

/** Another node holds the call; the load balancer may choose the right one the next time. */
const elsewhere = 4409
const over = 4410
const mostAttempts = 8

/** Lets a member listen to a running call. No one on the call hears them. */
export function ListenButton({ call }: { call: types.Call }) {
  const [state, setState] = useState<'off' | 'connecting' | 'on'>('off')
  const stopping = useRef<() => void>(() => {})
  useEffect(() => () => stopping.current(), [])

  const start = async () => {
    setState('connecting')
    const attempt = new AbortController()
    stopping.current = () => attempt.abort()
    try {
      const { ws_url, access_token } = await api.calls.listenTo(call.id)
      await hear({ address: ws_url, token: access_token ?? '', signal: attempt.signal, onHear: () => setState('on') })
    } catch (error) {
      if (!attempt.signal.aborted) notifications.show({ color: 'red', message: errorText(error) })
    }
    setState('off')
  }
  return state === 'on' ? (
    <Button variant="default" leftSection={<IconHeadphonesOff size={16} />} onClick={() => stopping.current()}>
      Stop listening
    </Button>
  ) : (
    <Button
      variant="default"
      leftSection={<IconHeadphones size={16} />}
      loading={state === 'connecting'}
      onClick={() => void start()}
    >
      Listen
    </Button>
  )
}

interface Hearing {
  address: string
  token: string
  signal: AbortSignal
  onHear(): void
}

/** Resolves when the call is over or the member stops. */
async function hear(hearing: Hearing): Promise<void> {
  for (let attempt = 1; !hearing.signal.aborted; attempt++) {
    const { code, reason } = await connect(hearing)
    if (code === elsewhere && attempt < mostAttempts) continue
    if (code === over || code === 1000 || hearing.signal.aborted) return
    throw new Error(reason || 'The connection was lost')
  }
}

function connect({ address, token, signal, onHear }: Hearing): Promise<CloseEvent> {
  const socket = new WebSocket(address, ['frontdesk', token])
  socket.binaryType = 'arraybuffer'
  let audio: ListeningAudio | undefined
  const stop = () => socket.close(1000)
  signal.addEventListener('abort', stop)
  socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data !== 'string') {
      const [track = 0] = new Uint8Array(data)
      audio?.play(track, new Uint8Array(data, 1))
      return
    }
    void openListening(JSON.parse(data).encoding).then((opened) => {
      audio = opened
      if (socket.readyState === WebSocket.OPEN) onHear()
      else opened.close()
    }, stop)
  }
  return new Promise((resolve) => {
    socket.onclose = (event) => {
      signal.removeEventListener('abort', stop)
      audio?.close()
      resolve(event)
    }
  })
}
