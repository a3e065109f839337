import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const folder = join(import.meta.dirname, '../../console')

/** `npm ci` builds the console; if install scripts were skipped, the first start builds it. */
export async function buildConsoleIfMissing(inform: (message: string) => void): Promise<void> {
  if (existsSync(join(folder, 'dist/index.html')) || !existsSync(join(folder, 'vite.config.ts'))) return
  inform('console: building (first start only)')
  const vite = join(dirname(createRequire(join(folder, 'package.json')).resolve('vite/package.json')), 'bin/vite.js')
  try {
    await promisify(execFile)(process.execPath, [vite, 'build', '--logLevel', 'warn', folder])
  } catch (error) {
    // The API works without the console; opening the console shows the error.
    inform(`console: build failed (${(error as Error).message.split('\n')[0]}); run "npm run build" for details`)
  }
}
