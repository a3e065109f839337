import { type Logger, pino } from 'pino'

export type Log = Logger

/** A person at a terminal reads lines, a log collector reads JSON: the terminal decides, not NODE_ENV. */
export function createLog(level: string): Log {
  // A lost database connection comes with the whole driver behind it, its cancel key included.
  const redact = { paths: ['req.headers.authorization', 'req.headers.cookie', 'err.client'], remove: true }
  if (!process.stdout.isTTY) return pino({ level, redact })
  return pino({ level, redact, transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } })
}
