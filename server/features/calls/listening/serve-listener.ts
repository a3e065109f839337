import type { WebSocket } from 'ws'
import type { SystemSql } from '../../../platform/database.ts'
import type { Holder } from '../holding/create-holder.ts'
import { isRunning } from '../queries.ts'

/** A listener that is this far behind, about 15 s, is cut off: the call does not wait for it. */
const maxUnsentBytes = 256 * 1024

/** Codes of closed sockets, in the range for applications. */
const closings = {
  over: { code: 4410, reason: 'The call is over' },
  elsewhere: { code: 4409, reason: 'Another node holds the call: connect again' },
  full: { code: 4429, reason: 'Five people listen to this call already' },
  slow: { code: 1013, reason: 'The connection is too slow' },
}

/**
 * Sends both sides of a call to one listener: a text message with the encoding, then a binary message for each frame, whose
 * first byte is 0 for the caller and 1 for the agent. What the listener sends is dropped.
 */
export async function serveListener(
  socket: WebSocket,
  id: string,
  { holder, system }: { holder: Holder; system: SystemSql },
): Promise<void> {
  const close = (why: keyof typeof closings) => socket.close(closings[why].code, closings[why].reason)
  const call = holder.find(id)
  if (!call) return close((await isRunning(system, id)) ? 'elsewhere' : 'over')
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
  socket.once('close', stop)
}
