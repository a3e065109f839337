import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Peer } from './peer.ts'

/**
 * Installs the peer into a folder outside the repository, unless an earlier run did, and returns the folder. Install
 * scripts do not run: these packages bring what they need prebuilt.
 */
export async function install({ name, packages, overrides = {} }: Peer): Promise<string> {
  const manifest = JSON.stringify({ private: true, dependencies: packages, overrides })
  const hash = createHash('sha256').update(manifest).digest('hex').slice(0, 8)
  const root = process.env.BENCH_PEERS_FOLDER ?? join(tmpdir(), 'frontdesk-bench-peers')
  const folder = join(root, `${name.toLowerCase().replaceAll(' ', '-')}-${hash}-node${process.versions.modules}`)
  if (existsSync(folder)) return folder
  const [first = '', version = ''] = Object.entries(packages)[0] ?? []
  await npm(root, ['view', `${first}@${version}`, 'version', '--fetch-retries=0', '--fetch-timeout=20000']).catch(
    (error) => {
      throw new Error(`the registry cannot be reached, or does not have it (${error.message})`)
    },
  )
  console.log(`Installing ${name} ${version} into ${folder}`)
  const unfinished = `${folder}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true })
  await writeFile(join(unfinished, 'package.json'), manifest)
  await npm(unfinished, ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier'])
  await rename(unfinished, folder)
  return folder
}

/** Runs npm with this Node; rejects with npm's own reason. */
async function npm(folder: string, args: string[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  const script = process.env.npm_execpath
  const [program, ...before] = script === undefined ? ['npm'] : [process.execPath, script]
  const child = spawn(program as string, [...before, ...args], {
    cwd: folder,
    // Under `npm run`, npm is told of the project around it.
    env: Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^npm_(package|config_local)/.test(key))),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr?.on('data', (chunk) => {
    output += chunk
  })
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(-1))
    child.once('close', resolve)
  })
  if (code === 0) return
  const reasons = output
    .split('\n')
    .filter((line) => /^npm error (?!code|errno|syscall|address|port|type|A complete log)/.test(line))
  throw new Error(reasons[0]?.replace('npm error ', '') ?? `npm ${args[0]} ended with ${code}`)
}
