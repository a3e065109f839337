import type { api as types } from '@frontdesk/sdk'
import { useEffect, useState } from 'react'
import { clock } from '../../records/calls/call-text.ts'

/** The duration of a running call, by the browser's clock. */
export function Running({ call }: { call: Pick<types.Call, 'started_at' | 'telephony_status'> }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return <span>{clock((now - Date.parse(call.started_at)) / 1000)}</span>
}
