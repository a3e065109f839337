import type { WebSocket } from 'ws'
import type { Database } from '../../../platform/database.ts'
import { type CredentialHolder, type FindAccess, may } from '../../../platform/http/principal.ts'
import type { Log } from '../../../platform/log.ts'
import type { Holder } from '../holding/create-holder.ts'
import { findCall, isRunning } from '../queries.ts'

/** As for the event stream: a listener who loses access is cut off within five seconds. */
const checkEveryMs = 3_000

/** A listener that is this far behind, about 15 s, is cut off: the call does not wait for it. */
const maxUnsentBytes = 256 * 1024

/** Codes of closed sockets, in the range for applications. */
const closings = {
  over: { code: 4410, reason: 'The call is over' },
  elsewhere: { code: 4409, reason: 'Another node holds the call: connect again' },
  full: { code: 4429, reason: 'Five people listen to this call already' },
  forbidden: { code: 4403, reason: 'You may no longer listen to this call' },
  slow: { code: 1013, reason: 'The connection is too slow' },
}

export interface ListenerDependencies {
  holder: Holder
  database: Database
  findAccess: FindAccess
  log: Log
}

/**
 * Sends both sides of a call to one listener: a text message with the encoding, then a binary message for each frame, whose
 * first byte is 0 for the caller and 1 for the agent. What the listener sends is dropped.
 */
export async function serveListener(
  socket: WebSocket,
  { id, listener }: { id: string; listener: CredentialHolder },
  { holder, database, findAccess, log }: ListenerDependencies,
): Promise<void> {
  const close = (why: keyof typeof closings) => socket.close(closings[why].code, closings[why].reason)
  const mayListen = async () => {
    const access = await findAccess(listener)
    if (!access || !may(access, 'calls:listen')) return false
    return (await findCall(database.forTenant(access.scope), id)) !== undefined
  }
  if (!(await mayListen())) return close('forbidden')
  const call = holder.find(id)
  if (!call) return close((await isRunning(database.forSystem(), id)) ? 'elsewhere' : 'over')
  socket.send(JSON.stringify({ type: 'listening', encoding: call.encoding }))
  const stop = call.listen({
    onFrame(track, frame) {
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > maxUnsentBytes) return close('slow')
      socket.send(Buffer.concat([Buffer.of(track === 'caller' ? 0 : 1), frame]))
    },
    onEnd: () => close('over'),
  })
  if (!stop) return close('full')
  const timer = setInterval(() => {
    mayListen().then(
      (isAllowed) => isAllowed || close('forbidden'),
      // The check itself failed, which says nothing about the credential.
      (error) => log.warn({ err: error, call: id }, 'call listening: checking access failed'),
    )
  }, checkEveryMs)
  const end = () => {
    clearInterval(timer)
    stop()
  }
  socket.once('close', end)
  // It may have closed during the first check.
  if (socket.readyState === socket.CLOSED) end()
}
