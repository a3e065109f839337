#!/usr/bin/env node
// Plain JavaScript, so that an older Node can parse it and start the Node 24 that npm installed beside us.
import { spawn } from 'node:child_process'
import * as nodeModule from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { currentBundle, traceToSource } from './bundle.js'
import { advice, isNewEnough } from './node-version.js'
import { whenNpmStops } from './when-npm-stops.js'

const here = dirname(fileURLToPath(import.meta.url))

if (isNewEnough(process.versions.node)) {
  // The compile cache halves the time of the next start; where it cannot be written, Node works without it.
  nodeModule.enableCompileCache(join(here, '../../node_modules/.cache/frontdesk'))
  resolveRelativePaths()
  const bundle = currentBundle()
  if (bundle) traceToSource()
  const { main } = await import(bundle ?? join(here, '../cli/cli.ts'))
  await main(process.argv.slice(2))
} else {
  const node = bundledNode()
  if (!node) {
    console.error(advice({ version: process.versions.node, platform: process.platform, arch: process.arch }))
    process.exit(1)
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  let isStopping = false
  const stop = (signal) => {
    isStopping = true
    child.kill(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
  whenNpmStops(() => isStopping || stop('SIGTERM'))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}

/**
 * Our modules, and those of packages in ES syntax, name each other by path, with the extension: Node need not look for the
 * file, its real path and, where the extension says it, its format.
 */
function resolveRelativePaths() {
  nodeModule.registerHooks({
    resolve(specifier, context, next) {
      const format = specifier.startsWith('.') && formatOf(specifier, context)
      if (!format) return next(specifier, context)
      return { url: new URL(specifier, context.parentURL).href, ...format, shortCircuit: true }
    },
  })
}

function formatOf(path, { conditions }) {
  if (path.endsWith('.ts')) return { format: 'module-typescript' }
  // `require` may leave the extension out.
  if (!conditions.includes('import')) return undefined
  if (path.endsWith('.mjs')) return { format: 'module' }
  return path.endsWith('.js') ? {} : undefined
}

function bundledNode() {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  try {
    const manifest = nodeModule.createRequire(import.meta.url).resolve(`${name}/package.json`)
    return join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  } catch {
    return undefined
  }
}
