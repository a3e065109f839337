import { serverVariable, startTestServer } from './server.ts'

/** Runs once around the whole suite: one PostgreSQL, one migrated template. */
let stop = async () => {}

export async function globalSetup(): Promise<void> {
  const started = await startTestServer()
  stop = started.stop
  process.env[serverVariable] = JSON.stringify(started.server)
}

export const globalTeardown = (): Promise<void> => stop()
