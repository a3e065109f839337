import { chmod, chown, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { type PostgresBinaries, type RunAs, run, useYourOwnServer } from './postgres-binaries.ts'
import { copyBinaries } from './postgres-copy.ts'

/** How PostgreSQL is run on this machine: as which user, and with which copy of its programs. */
export interface Footing {
  who: RunAs
  binaries: PostgresBinaries
}

interface Place {
  dataDir: string
  clusterDir: string
  binaries: PostgresBinaries
  /** Where programs may be copied that the other user cannot reach in node_modules. */
  copyTo: string[]
  log: (message: string) => void
}

/**
 * PostgreSQL refuses to run as root. Tries what this machine allows, starting with the user that created the cluster.
 */
export async function chooseUser(place: Place): Promise<Footing> {
  const { dataDir, clusterDir, binaries } = place
  if (process.getuid?.() !== 0) return { who: { prefix: [] }, binaries }
  const refusals: string[] = []
  for (const who of await candidates(dataDir, clusterDir)) {
    try {
      return who.uid === undefined ? await tryNamespace(place, who) : await tryUser(place, who)
    } catch (error) {
      refusals.push(
        `${who.uid === undefined ? 'in a user namespace' : `as user ${who.uid}`}: ${(error as Error).message}`,
      )
    }
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and no other way works here (${refusals.join('; ')}). ` +
      `Start Frontdesk as an ordinary user, or: ${useYourOwnServer}`,
  )
}

async function candidates(dataDir: string, clusterDir: string): Promise<RunAs[]> {
  const cluster = await stat(clusterDir).catch(() => undefined)
  const { uid: dataOwner } = await stat(dataDir)
  const users = await namedUsers()
  const found: RunAs[] = []
  if (cluster?.uid) found.push({ prefix: [], uid: cluster.uid, gid: cluster.gid })
  // Root under another name still owns root's files, so this needs no chown and works in root's own folders. initdb
  // requires that the name exists; 65534 comes last because it also stands for "unknown user".
  const alias = users.find(({ uid }) => uid !== 65534) ?? users[0]
  if (alias) {
    const map = [`--map-user=${alias.uid}`, `--map-group=${alias.gid}`]
    found.push({ prefix: ['unshare', '--user', ...map, '--'] })
  }
  const byName = (name: string) => users.find((user) => user.name === name)
  for (const user of [users.find(({ uid }) => uid === dataOwner), byName('postgres'), byName('nobody')])
    if (user) found.push({ prefix: [], uid: user.uid, gid: user.gid })
  return found
}

async function tryNamespace({ binaries, dataDir }: Place, who: RunAs): Promise<Footing> {
  await canRun(binaries, who)
  await canEnter(dataDir, who)
  return { who, binaries }
}

/**
 * Another user may be unable to reach the programs, the data, or both: for example a clone in a folder that only root
 * can enter.
 */
async function tryUser(place: Place, who: RunAs): Promise<Footing> {
  const binaries = await canRun(place.binaries, who).then(
    () => place.binaries,
    () => copyFor(place, who),
  )
  const { dataDir } = place
  const before = await stat(dataDir)
  try {
    await letPass(dataDir, who)
    await canEnter(dataDir, who)
    return { who, binaries }
  } catch (error) {
    await chown(dataDir, before.uid, before.gid)
    await chmod(dataDir, before.mode & 0o7777)
    await canWorkInside(dataDir, who).catch(() => {
      throw error
    })
    place.log(
      `embedded postgres: user ${who.uid} may not enter ${dataDir}: the database stays there and is passed as the working directory`,
    )
    return { who: { ...who, isShutOut: true }, binaries }
  }
}

async function copyFor({ binaries, copyTo, log }: Place, who: RunAs): Promise<PostgresBinaries> {
  const refusals: string[] = []
  for (const folder of copyTo) {
    try {
      const { copy, isNew } = await copyBinaries(binaries, folder)
      await canRun(copy, who)
      if (isNew)
        log(
          `embedded postgres: user ${who.uid} may not enter ${binaries.folder}: the programs were copied to ${copy.folder}`,
        )
      return copy
    } catch (error) {
      refusals.push((error as Error).message)
    }
  }
  throw new Error(`may not enter ${binaries.folder}, and a copy of it cannot be used either: ${refusals.join(', ')}`)
}

const canRun = ({ postgres, folder }: PostgresBinaries, who: RunAs) =>
  run(who, '/bin/sh', ['-c', '"$0" --version >/dev/null', postgres], folder)

const canEnter = (dataDir: string, who: RunAs) =>
  run(who, '/bin/sh', ['-c', 'test -x "$0" || { echo "may not enter $0" >&2; exit 1; }', dataDir], '/')

/** Tests whether `isShutOut` can work: it needs Linux with /proc mounted. */
async function canWorkInside(dataDir: string, who: RunAs): Promise<void> {
  const folder = await mkdtemp(path.join(dataDir, 'trial-'))
  try {
    await chown(folder, who.uid as number, who.gid as number)
    await run(who, '/bin/sh', ['-c', ': >/proc/self/cwd/file && test -r /proc/self/cwd/file'], folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface User {
  name: string
  uid: number
  gid: number
}

async function namedUsers(): Promise<User[]> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n')
  const fields = lines.map((line) => line.split(':'))
  const users = fields.map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
  return users.filter(({ uid, gid }) => uid > 0 && gid > 0)
}

// The other user has to traverse the data directory to reach its cluster, but need not be able to list it.
async function letPass(dataDir: string, { uid, gid }: RunAs): Promise<void> {
  if (uid === undefined || gid === undefined) return
  const { uid: owner, gid: group, mode } = await stat(dataDir)
  if (owner === uid || mode & 0o001 || (group === gid && mode & 0o010)) return
  if (mode & 0o070) return chmod(dataDir, (mode & 0o7777) | 0o001)
  await chown(dataDir, owner, gid)
  await chmod(dataDir, (mode & 0o7777) | 0o010)
}
