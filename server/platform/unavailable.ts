import { Unavailable } from './errors.ts'

/**
 * SQLSTATEs and Node.js error codes that mean "out of space": PostgreSQL's 53100 disk_full, 53200 out_of_memory, 53400
 * configuration_limit_exceeded.
 */
const noRoom = /^(53000|53100|53200|53400|ENOSPC|EDQUOT)$/

/**
 * Connection failures (08…), too many connections (53300), a server that is stopping, crashed or starting (57P01 to
 * 57P03), one that became a standby (25006), and the equivalent Node.js codes.
 */
const away =
  /^(08\w{3}|53300|57P0[123]|25006|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/
const awayInWords = /Connection terminated|timeout exceeded when trying to connect|not queryable/

/** An operator has to free space first. */
const retryWhenFullSeconds = 30
/** A restart or failover takes seconds. */
const retryWhenAwaySeconds = 5

/**
 * The response to a temporary fault: the disk is full, or the database is unreachable. The request itself is valid and
 * may be retried. Undefined for every other error.
 */
export function unavailable(error: unknown): Unavailable | undefined {
  const { code = '', message = '', syscall } = (error ?? {}) as NodeJS.ErrnoException
  if (noRoom.test(code) || noRoom.test(causeOf(error)))
    return new Unavailable('no room to write, the disk is full; try again later', retryWhenFullSeconds, error)
  // ENOENT for the socket of a local PostgreSQL. For a file it means something else.
  if (away.test(code) || awayInWords.test(message) || (code === 'ENOENT' && syscall === 'connect'))
    return new Unavailable('the database cannot be reached, try again', retryWhenAwaySeconds, error)
  return undefined
}

const causeOf = (error: unknown): string => {
  const { code } = ((error as Error | undefined)?.cause ?? {}) as NodeJS.ErrnoException
  return typeof code === 'string' ? code : ''
}

/**
 * Whether a connection failed because PostgreSQL, or its machine, is not running yet, is starting up or shutting down. A
 * machine that is booting does not answer at all.
 */
export function isStartingUp(error: unknown): boolean {
  const { code = '', message, syscall } = error as NodeJS.ErrnoException
  return (
    /^(57P03|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|EAI_AGAIN)$/.test(code) ||
    message === 'timeout expired' ||
    (code === 'ENOENT' && syscall === 'connect')
  )
}
