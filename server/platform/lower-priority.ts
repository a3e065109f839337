import { getPriority, setPriority } from 'node:os'

/**
 * Lets other processes go first when the processors are busy. A process whose priority is already lower keeps it:
 * only root may raise it.
 */
export function lowerPriority(niceness: number, pid = 0): void {
  if (getPriority(pid) < niceness) setPriority(pid, niceness)
}
