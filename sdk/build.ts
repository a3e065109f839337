import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * JavaScript and declarations for those who install the package, in dist/ or in a folder that is named. `npm pack` runs it. In the
 * workspace the sources are used as they are: the condition `frontdesk-source` of package.json leads to them.
 */
const folder = resolve(process.argv[2] ?? join(import.meta.dirname, 'dist'))
const compiler = join(fileURLToPath(import.meta.resolve('typescript/package.json')), '../bin/tsc')
rmSync(folder, { recursive: true, force: true })
execFileSync(process.execPath, [compiler, '-p', import.meta.dirname, '--outDir', folder], { stdio: 'inherit' })
