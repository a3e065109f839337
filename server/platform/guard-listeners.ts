import type { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { Duplex } from 'node:stream'
import { IncomingMessage } from './http-module.ts'
import type { Log } from './log.ts'

/**
 * Listeners of raw events and timers run outside any request: an exception in one is uncaught and ends the process,
 * with every other call and request. These functions confine it to the socket, child process or server it came from.
 */

/** Logs the fault and closes the one resource it concerns. `args` are those of the failed listener. */
type OnFault = (error: unknown, event: string, args: unknown[]) => void

const faultHandlers = new WeakMap<EventEmitter, OnFault>()

/**
 * From now on no listener of this emitter throws an uncaught exception, whichever module adds it. An `error` event
 * without a listener counts as a fault too.
 */
export function guardListeners(emitter: EventEmitter, onFault: OnFault): void {
  faultHandlers.set(emitter, onFault)
  const emit = emitter.emit
  emitter.emit = function guardedEmit(this: EventEmitter, event: string | symbol, ...args: unknown[]) {
    try {
      return emit.call(this, event, ...args)
    } catch (error) {
      onFault(error, String(event), args)
      return true
    }
  }
}

/**
 * For `request`, `upgrade`, `connection`, `clientError` and the rest: a fault closes the connection that it happened
 * on.
 */
export function guardHttpServer(server: Server, log: Log): void {
  guardListeners(server, (error, event, args) => {
    log.error({ err: error, listener: event }, 'http server: listener failed, closing the connection')
    for (const each of args) {
      if (each instanceof IncomingMessage) each.socket.destroy()
      else if (each instanceof Duplex) each.destroy()
    }
  })
}

/**
 * The same for a timer callback that belongs to a guarded emitter: its exception goes to the emitter's fault handler.
 */
export function guardTimer(emitter: EventEmitter, callback: () => void): () => void {
  return guard(callback, (error) => {
    const onFault = faultHandlers.get(emitter)
    if (!onFault) throw error
    onFault(error, 'timer', [])
  })
}

/** One listener that may be asynchronous: both exceptions and rejections go to `onFault`. */
export function guard<Args extends unknown[]>(
  listener: (...args: Args) => unknown,
  onFault: (error: unknown, ...args: Args) => void,
): (...args: Args) => void {
  return (...args) => {
    try {
      const result = listener(...args)
      if (result instanceof Promise) result.catch((error) => onFault(error, ...args))
    } catch (error) {
      onFault(error, ...args)
    }
  }
}
