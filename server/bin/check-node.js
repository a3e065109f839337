// Runs before `npm test`, whose files an older Node cannot parse: on Linux and Windows npm puts its own Node 24 first
// in the PATH.
import { advice, isNewEnough } from './node-version.js'

if (!isNewEnough(process.versions.node)) {
  console.error(advice({ version: process.versions.node, platform: process.platform, arch: process.arch }))
  process.exit(1)
}
