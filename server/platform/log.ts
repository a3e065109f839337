import { type Logger, pino } from 'pino'

export type Log = Logger

/** Readable lines on a terminal, JSON for log collectors: decided by whether stdout is a terminal, not by NODE_ENV. */
export function createLog(level: string): Log {
  // The error of a lost connection references the whole driver, including the cancel key; log only its own fields.
  const redact = { paths: ['req.headers.authorization', 'req.headers.cookie', 'err.client'], remove: true }
  if (!process.stdout.isTTY) return pino({ level, redact })
  return pino({ level, redact, transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } })
}
