import pg from 'pg'
import { newContact, type Peer, poolSize, rows } from './peer.ts'

/**
 * The class is defined beforehand and clients cannot create classes, as its guide advises for production. Answers leave
 * out fields without a value, and a create answers with the id, the time and the defaults alone.
 */
export const parseServer: Peer = {
  name: 'Parse Server',
  packages: { 'parse-server': '9.10.0', express: '5.3.0' },
  list: (key) => ({ url: '/parse/classes/Contact?limit=20&count=1&order=-createdAt', headers: headers(key) }),
  create: (key) => ({ url: '/parse/classes/Contact', method: 'POST', headers: headers(key), body: newContact }),
  async serve({ connection, require, key, folder }) {
    process.env.PARSE_SERVER_LOGS_FOLDER = `${folder}/logs`
    const { ParseServer } = require('parse-server')
    const { host, port, user, database } = connection
    const server = new ParseServer({
      databaseURI: `postgres://localhost/${database}`,
      databaseOptions: { host, port, user, database, max: poolSize },
      appId: applicationId,
      restAPIKey: key,
      masterKey: 'a master key that only benchmarks use',
      serverURL: 'http://127.0.0.1/parse',
      allowClientClassCreation: false,
      logLevel: 'warn',
      silent: true,
      schema: { definitions: [definition], strict: true, lockSchemas: true },
    })
    await server.start()
    await fill(connection)
    const app = require('express')()
    app.use('/parse', server.app)
    const http = await new Promise<import('node:http').Server>((resolve) => {
      const started = app.listen(0, '127.0.0.1', () => resolve(started))
    })
    return `http://127.0.0.1:${(http.address() as { port: number }).port}`
  },
}

const applicationId = 'bench'
const headers = (key: string) => ({ 'x-parse-application-id': applicationId, 'x-parse-rest-api-key': key })

const text = { type: 'String' }
const instant = { type: 'Date' }
const definition = {
  className: 'Contact',
  fields: {
    organization_id: { ...text, defaultValue: '00000000-0000-7000-8000-000000000000' },
    phone_number: { ...text, required: true },
    name: { ...text, defaultValue: '' },
    first_name: text,
    tags: { type: 'Array', defaultValue: [] },
    notes: { ...text, defaultValue: '' },
    custom_fields: { type: 'Object', defaultValue: {} },
    stage: { ...text, defaultValue: 'new' },
    ai_handling: { type: 'Boolean', defaultValue: true },
    last_activity_at: instant,
    opted_out_at: instant,
    blocked_at: instant,
    whatsapp_user_id: text,
    username: text,
    time_zone: text,
    source_type: text,
    source_id: text,
    source_headline: text,
    source_url: text,
    source_at: instant,
    livemode: { type: 'Boolean', defaultValue: false },
  },
  classLevelPermissions: { find: { '*': true }, count: { '*': true }, get: { '*': true }, create: { '*': true } },
}

async function fill(connection: pg.ClientConfig) {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(`
    create unique index on "Contact" (phone_number);
    create index on "Contact" ("createdAt" desc);
    insert into "Contact" ("objectId", "createdAt", "updatedAt", organization_id, phone_number, name, tags, notes,
      custom_fields, stage, ai_handling, last_activity_at, livemode)
    select lpad(n::text, 10, 'a'), now() - n * interval '1 second', now(), '00000000-0000-7000-8000-000000000000',
      '+1415' || (5550000 + n), 'Person ' || n, '["vip", "newsletter"]', 'Met at the fair',
      '{"plan": "gold", "city": "Oakland"}', 'new', true, now(), false
    from generate_series(1, ${rows}) n`)
  await client.query('vacuum analyze')
  await client.end()
}
