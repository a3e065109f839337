import { readdir, readFile } from 'node:fs/promises'

interface RunningProcess {
  pid: number
  parent: number
  group: number
  command: string
  /** Proportional set size: memory shared by processes is counted once. */
  kibibytes: number
}

/** All processes of this machine; none where there is no /proc. */
export async function runningProcesses(): Promise<RunningProcess[]> {
  const names = await readdir('/proc').catch(() => [])
  const read = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(describe))
  return read.filter((each) => each !== undefined)
}

/** The memory of a process with all its descendants, in MiB. */
export function mebibytesWithDescendants(all: RunningProcess[], pid: number): number {
  const family = new Set([pid])
  for (let size = 0; size < family.size; ) {
    size = family.size
    for (const each of all) if (family.has(each.parent)) family.add(each.pid)
  }
  return all.filter((each) => family.has(each.pid)).reduce((sum, { kibibytes }) => sum + kibibytes, 0) / 1024
}

async function describe(name: string): Promise<RunningProcess | undefined> {
  try {
    const [command, status, rollup] = (await Promise.all(
      ['cmdline', 'stat', 'smaps_rollup'].map((file) => readFile(`/proc/${name}/${file}`, 'utf8')),
    )) as [string, string, string]
    const [, parent, group] = status
      .slice(status.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number) as [number, number, number]
    const kibibytes = Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0)
    return { pid: Number(name), parent, group, command, kibibytes }
  } catch {
    // The process ended while it was being read.
    return undefined
  }
}
