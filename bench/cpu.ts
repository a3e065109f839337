import { readdirSync, readFileSync } from 'node:fs'

/** The unit of CPU times in /proc, on every Linux. */
const microsecondsPerTick = 10_000

/** CPU time of a process in microseconds, NaN where there is no /proc. */
const cpuOf = (pid: number): number => readTimes(pid)?.own ?? Number.NaN

/** CPU time of a process, such as a postmaster, with the children that it runs and those that have ended. */
export function cpuWithChildren(pid: number): number {
  const times = readTimes(pid)
  if (!times) return Number.NaN
  const others = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readTimes(Number(name)))
  const children = others.filter((each) => each?.parent === pid)
  return children.reduce((sum, each) => sum + (each?.own ?? 0), times.own + times.endedChildren)
}

/** Runs a load, and returns the CPU time in microseconds that each of its requests took of the server and of PostgreSQL. */
export async function cpuPerRequest<T extends { requests: number }>(
  { server, database }: { server: { pid: number }; database: { pid: number } },
  run: () => Promise<T>,
) {
  const before = [cpuOf(server.pid), cpuWithChildren(database.pid)] as const
  const result = await run()
  const since = [cpuOf(server.pid) - before[0], cpuWithChildren(database.pid) - before[1]] as const
  return { result, cpu: since[0] / result.requests, postgres: since[1] / result.requests }
}

/** CPU time of the whole machine in microseconds, NaN where there is no /proc. */
export function cpuOfMachine(): number {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1)
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = line.split(/\s+/).slice(1).map(Number)
    return (user + nice + system + irq + softirq) * microsecondsPerTick
  } catch {
    return Number.NaN
  }
}

function readTimes(pid: number): { parent: number; own: number; endedChildren: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name, in parentheses, may contain blanks.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [parent = 0, user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = [1, 11, 12, 13, 14].map(
      (i) => fields[i],
    )
    return {
      parent,
      own: (user + system) * microsecondsPerTick,
      endedChildren: (childrenUser + childrenSystem) * microsecondsPerTick,
    }
  } catch {
    // The process has ended, or this is not Linux.
    return undefined
  }
}
