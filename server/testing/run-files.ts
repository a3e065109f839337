import { suite } from 'node:test'
import { pathToFileURL } from 'node:url'
import { endProcess } from './after-process.ts'

/**
 * Runs test files one after another in this process: each is loaded when the one before it has ended, so that only one
 * service runs at a time. A file's own `before` and `after` hooks belong to its suite.
 */
for (const file of process.argv.slice(2)) await suite(file, () => import(pathToFileURL(file).href).then(() => {}))
await endProcess()
