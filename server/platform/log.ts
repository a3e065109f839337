import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import { traceFields } from './tracing/trace.ts'

export type Log = Logger

/** Readable lines on a terminal, JSON for log collectors: decided by whether stdout is a terminal, not by NODE_ENV. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options: LoggerOptions = {
    level,
    // The error of a lost connection references the whole driver, including the cancel key; log only its own fields.
    redact: { paths: ['req.headers.authorization', 'req.headers.cookie', 'err.client'], remove: true },
    mixin: traceFields,
    hooks: {
      logMethod([first, ...rest], log) {
        const isMessage = typeof first === 'string'
        const event = eventOf(isMessage ? first : rest[0])
        if (event === undefined || first instanceof Error) log.call(this, first as never, ...(rest as []))
        else if (isMessage) log.call(this, { event }, first, ...(rest as []))
        else log.call(this, { event, ...(first as object) }, ...(rest as []))
      },
    },
  }
  if (destination) return pino(options, destination)
  if (!process.stdout.isTTY) return pino(options)
  return pino({ ...options, transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname,event' } } })
}

const events = new Map<string, string | undefined>()
/** Messages are constant, but libraries log their own. */
const mostEvents = 1_000

/**
 * The name of a line for alerts, from its message `component: event, details`: `jobs: failed` is `jobs.failed`. What
 * follows the comma may be worded differently in another version; the name stays.
 */
export function eventOf(message: unknown): string | undefined {
  if (typeof message !== 'string') return undefined
  if (events.has(message)) return events.get(message)
  const [, component, event] = /^([a-z][\w -]*): ([^,]+)/i.exec(message) ?? []
  const name = component && event && `${slug(component)}.${slug(event)}`
  if (events.size < mostEvents) events.set(message, name)
  return name
}

const slug = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
