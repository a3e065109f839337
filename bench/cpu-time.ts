import { readdirSync, readFileSync } from 'node:fs'

/** The unit of CPU times in /proc, on every Linux. */
const ticksPerSecond = 100

/** The fields of /proc/…/stat after the program's name, which is in parentheses and may contain blanks. */
function fieldsOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
  } catch {
    return []
  }
}

/** User and system time, also that of children that have ended. */
const secondsOf = (fields: number[]) => fields.slice(11, 15).reduce((sum, each) => sum + each, 0) / ticksPerSecond

/** CPU time of a process and its children so far; 0 where there is no /proc. */
export function cpuSeconds(pid: number): number {
  const children = pids()
    .map(fieldsOf)
    .filter(([, parent]) => parent === pid)
  return [fieldsOf(pid), ...children].reduce((sum, fields) => sum + secondsOf(fields), 0)
}

function pids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** CPU time of the whole machine so far. */
export function machineSeconds(): number {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1)
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = line.split(/\s+/).slice(1).map(Number)
    return (user + nice + system + irq + softirq) / ticksPerSecond
  } catch {
    return 0
  }
}
