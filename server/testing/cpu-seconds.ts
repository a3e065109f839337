import { readFileSync } from 'node:fs'

/** The unit of CPU times in /proc, on every Linux. */
const ticksPerSecond = 100

/** The CPU time of this process and, on Linux, of its children that have exited. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000 + secondsOfChildren()
}

function secondsOfChildren(): number {
  try {
    const text = readFileSync('/proc/self/stat', 'utf8')
    // The program's name, in parentheses, may contain blanks.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond
  } catch {
    return 0
  }
}
