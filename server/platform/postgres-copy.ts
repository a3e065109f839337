import { cp, lstat, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { binariesIn, type PostgresBinaries, run } from './postgres-binaries.ts'

/**
 * In order of preference: a folder that survives reboots and cleaners of temporary files, then folders that exist
 * everywhere.
 */
export const usualCopyFolders = ['/var/lib', os.tmpdir(), '/tmp']

/**
 * Copies the programs to a folder that every user can read and only root can write, because another user is about to
 * run them. One rename puts the copy in place, so it is complete or absent, and concurrent starts share it.
 */
export async function copyBinaries(
  binaries: PostgresBinaries,
  parent: string,
): Promise<{ copy: PostgresBinaries; isNew: boolean }> {
  const target = path.join(parent, `frontdesk-postgres-${binaries.name}`)
  const copy = binariesIn(target, binaries.name)
  if (await isOurs(target)) return { copy, isNew: false }
  await mkdir(parent, { recursive: true })
  const attempt = await mkdtemp(`${target}.new-`)
  try {
    await cp(path.dirname(binaries.folder), attempt, { recursive: true, verbatimSymlinks: true })
    // The originals may be unreadable for other users.
    await run({ prefix: [] }, 'chmod', ['-R', 'u=rwX,go=rX', attempt], '/')
    await rename(attempt, target).catch(async (error) => {
      if (!(await isOurs(target))) throw error
    })
  } finally {
    await rm(attempt, { recursive: true, force: true })
  }
  return { copy, isNew: true }
}

/** In a world-writable folder another user may have placed their own programs here. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  if (!found) return false
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0) return true
  throw new Error(`${folder} should hold PostgreSQL's programs but does not belong to root alone; remove it`)
}
