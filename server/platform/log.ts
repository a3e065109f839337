import { type DestinationStream, type Logger, pino } from 'pino'
import { traceFields } from './tracing/trace.ts'

export type Log = Logger

/** Readable lines on a terminal, JSON for log collectors: decided by whether stdout is a terminal, not by NODE_ENV. */
export function createLog(level: string, destination?: DestinationStream): Log {
  // The error of a lost connection references the whole driver, including the cancel key; log only its own fields.
  const redact = { paths: ['req.headers.authorization', 'req.headers.cookie', 'err.client'], remove: true }
  const options = { level, redact, mixin: traceFields }
  if (destination) return pino(options, destination)
  if (!process.stdout.isTTY) return pino(options)
  return pino({ ...options, transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } })
}
