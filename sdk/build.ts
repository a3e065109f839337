import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `npm run build -w sdk`, or with a folder of one's choice: the package as it is published, in dist/. Here in the
 * workspace its sources are used as they are.
 */
const folder = resolve(process.argv[2] ?? join(import.meta.dirname, 'dist'))
const compiler = join(fileURLToPath(import.meta.resolve('typescript/package.json')), '../bin/tsc')
rmSync(folder, { recursive: true, force: true })
execFileSync(process.execPath, [compiler, '-p', import.meta.dirname, '--outDir', folder], { stdio: 'inherit' })

const {
  private: _,
  scripts: __,
  ...manifest
} = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'))
const published = {
  ...manifest,
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  types: './index.d.ts',
  engines: { node: '>=20.3' },
}
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
copyFileSync(join(import.meta.dirname, 'README.md'), join(folder, 'README.md'))
