import { directus } from './directus.ts'
import { feathers } from './feathers.ts'
import { parseServer } from './parse-server.ts'
import type { Peer } from './peer.ts'

export const peers: Peer[] = [feathers, parseServer, directus]
