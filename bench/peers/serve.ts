import { createRequire } from 'node:module'
import { join } from 'node:path'
import { peers } from './peers.ts'

/** Serves the peer whose name is given, until SIGTERM. */
const peer = peers.find(({ name }) => name === process.argv[2])
if (!peer) throw new Error(`There is no peer ${process.argv[2]}`)
const { PEER_CONNECTION = '', PEER_FOLDER: folder = '', PEER_KEY: key = '' } = process.env
process.once('SIGTERM', () => process.exit())
const require = createRequire(join(folder, 'package.json'))
console.log(`listening ${await peer.serve({ connection: JSON.parse(PEER_CONNECTION), folder, key, require })}`)
