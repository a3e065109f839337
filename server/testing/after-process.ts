import { after } from 'node:test'

const endings: (() => Promise<void>)[] = []

/** Closes what all test files of a process share. */
export function afterProcess(end: () => Promise<void>): void {
  endings.push(end)
}

export async function endProcess(): Promise<void> {
  await Promise.all(endings.map((end) => end()))
}

// Node's own runner, which finds tests by their names, calls the hooks that belong to no file.
if (process.execArgv.includes('--test')) after(endProcess)
