import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'

/**
 * Creates the folder and its parents, accessible to this user only. Node's own `recursive` never returns where a file
 * system refuses new folders with ENOENT, as /proc does.
 */
export async function makeFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined)
  if (found?.isDirectory()) return
  if (found) throw new Error(`${folder} is not a folder`)
  const parent = path.dirname(folder)
  if (parent !== folder) await makeFolder(parent)
  await mkdir(folder, { mode: 0o700 }).catch((error) => {
    // Another process created it first.
    if (error.code !== 'EEXIST') throw error
  })
}
