import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Builds JavaScript and declarations for users of the package, in dist/ or in a given folder. `npm pack` runs it. In
 * the workspace the sources are used directly: the condition `frontdesk-source` of package.json points to them.
 */
const folder = resolve(process.argv[2] ?? join(import.meta.dirname, 'dist'))
const compiler = join(fileURLToPath(import.meta.resolve('typescript/package.json')), '../bin/tsc')
rmSync(folder, { recursive: true, force: true })
execFileSync(process.execPath, [compiler, '-p', import.meta.dirname, '--outDir', folder], { stdio: 'inherit' })
