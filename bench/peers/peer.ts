import type { ClientConfig } from 'pg'
import type { Load } from '../harness.ts'

/** A framework that serves the same contacts, in a process of its own, on a database of its own of the same server. */
export interface Peer {
  name: string
  /** Exact versions, installed into a scratch folder. The first one is what the table shows. */
  packages: Record<string, string>
  /** Versions of transitive packages that the peer's own range excludes on this Node. */
  overrides?: Record<string, string>
  /** Creates the table and its rows, starts the server and returns its address. */
  serve(options: ServeOptions): Promise<string>
  /** The first page, newest first, twenty rows with every field and a total. */
  list(key: string): PeerRequest
  create(key: string): PeerRequest
}

interface ServeOptions {
  connection: ClientConfig
  /** Loads a package of the scratch folder. */
  require: NodeJS.Require
  /** The scratch folder. */
  folder: string
  key: string
}

/** Its `url` is a path. */
type PeerRequest = Pick<Load, 'url' | 'method' | 'headers' | 'body'>

/** Connections to PostgreSQL: what Frontdesk has by default. */
export const poolSize = 10

export const rows = 1_000

/** What every request of the benchmark that creates a contact sends. */
export const newContact = JSON.stringify({
  phone_number: '+49{n}',
  name: 'Person {n}',
  custom_fields: { plan: 'gold' },
})
