import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkKey, FileMissing, type FileStore } from './contract.ts'

/** No upload takes this long: an older draft was left by a process that was killed. */
const abandonedAfterMs = 24 * 60 * 60 * 1000

/** Files below a folder of this machine. A file appears complete or not at all, also after a power loss. */
export function createDiskFiles(folder: string): FileStore {
  const drafts = join(folder, 'drafts.tmp')
  const pathOf = (key: string) => {
    checkKey(key)
    return join(folder, 'kept', key)
  }
  let swept: Promise<void> | undefined

  return {
    async write(key, bytes) {
      const path = pathOf(key)
      await makeFolder(drafts)
      swept ??= sweep(drafts)
      await swept
      const draft = join(drafts, randomUUID())
      try {
        const stored = await writeDraft(draft, bytes)
        await makeFolder(dirname(path))
        await rename(draft, path)
        await persistFolder(dirname(path))
        return stored
      } catch (error) {
        await unlink(draft).catch(ignoreMissing)
        throw error
      }
    },
    async read(key, range) {
      try {
        const file = await open(pathOf(key))
        return file.createReadStream(range)
      } catch (error) {
        throw isMissing(error) ? new FileMissing() : error
      }
    },
    async remove(key) {
      const path = pathOf(key)
      try {
        await unlink(path)
        await persistFolder(dirname(path))
      } catch (error) {
        ignoreMissing(error)
      }
    },
  }
}

async function writeDraft(path: string, bytes: AsyncIterable<Buffer>) {
  const hash = createHash('sha256')
  let size = 0
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of bytes) {
      hash.update(chunk)
      size += chunk.length
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { size, sha256: hash.digest('hex') }
}

/** A folder is an entry of its parent, and survives a power loss only when the parent was synced too. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let each = path; each.length >= first.length; each = dirname(each)) await persistFolder(dirname(each))
}

async function persistFolder(path: string): Promise<void> {
  // Windows cannot open folders and does not need this.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function sweep(drafts: string): Promise<void> {
  for (const name of await readdir(drafts)) {
    const draft = join(drafts, name)
    const found = await stat(draft).catch(ignoreMissing)
    if (found && found.mtimeMs < Date.now() - abandonedAfterMs) await unlink(draft).catch(ignoreMissing)
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}
