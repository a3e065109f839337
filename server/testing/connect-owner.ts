import { after } from 'node:test'
import pg from 'pg'
import type { TestApp } from './app.ts'

/** A connection of the database's owner, which may change jobs. The service itself may only add them. */
export async function connectOwner({ connection }: Pick<TestApp, 'connection'>): Promise<pg.Client> {
  const owner = new pg.Client(connection)
  owner.on('error', () => {})
  await owner.connect()
  after(() => owner.end())
  return owner
}
