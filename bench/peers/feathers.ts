import { once } from 'node:events'
import { createContactsTable } from './contacts-table.ts'
import { newContact, type Peer, poolSize } from './peer.ts'

const version = '5.0.50'

/**
 * As its generator writes an application for Koa, Knex and TypeBox: queries and bodies are validated. The key is
 * compared by a strategy of its own, as its cookbook describes; totals are counted by the adapter.
 */
export const feathers: Peer = {
  name: 'Feathers',
  packages: {
    '@feathersjs/feathers': version,
    '@feathersjs/authentication': version,
    '@feathersjs/knex': version,
    '@feathersjs/koa': version,
    '@feathersjs/schema': version,
    '@feathersjs/typebox': version,
    knex: '3.3.0',
    pg: '8.23.1',
  },
  list: (key) => ({ url: '/contacts?$sort[id]=-1', headers: { 'x-api-key': key } }),
  create: (key) => ({ url: '/contacts', method: 'POST', headers: { 'x-api-key': key }, body: newContact }),
  async serve({ connection, require, key }) {
    await createContactsTable(connection)
    const { feathers: create } = require('@feathersjs/feathers')
    const { koa, rest, bodyParser, errorHandler, parseAuthentication } = require('@feathersjs/koa')
    const { authenticate, AuthenticationBaseStrategy, AuthenticationService } = require('@feathersjs/authentication')
    const { Ajv, hooks } = require('@feathersjs/schema')
    const { getValidator, querySyntax, Type } = require('@feathersjs/typebox')
    const { KnexService } = require('@feathersjs/knex')

    class ApiKeyStrategy extends AuthenticationBaseStrategy {
      parse({ headers }: { headers: Record<string, string> }) {
        const apiKey = headers['x-api-key']
        return apiKey === undefined ? null : { strategy: this.name, apiKey }
      }
      async authenticate({ apiKey }: { apiKey: string }) {
        const { NotAuthenticated } = require('@feathersjs/errors')
        if (apiKey !== this.configuration.key) throw new NotAuthenticated('Invalid key')
        return { authentication: { strategy: this.name } }
      }
    }

    const app = koa(create())
    app.set('authentication', {
      entity: null,
      secret: 'a secret that only benchmarks use',
      authStrategies: ['apiKey'],
      apiKey: { key },
    })
    app.use(errorHandler())
    app.use(parseAuthentication())
    app.use(bodyParser())
    app.configure(rest())
    const authentication = new AuthenticationService(app)
    authentication.register('apiKey', new ApiKeyStrategy())
    app.use('authentication', authentication)

    const Model = require('knex')({ client: 'pg', connection, pool: { min: 0, max: poolSize } })
    app.use('contacts', new KnexService({ Model, name: 'contacts', paginate: { default: 20, max: 100 } }), {
      methods: ['find', 'create'],
    })
    const { NewContact, ContactFilter } = schemas(Type, querySyntax)
    app.service('contacts').hooks({
      around: { all: [authenticate('apiKey')] },
      before: {
        find: [hooks.validateQuery(getValidator(ContactFilter, new Ajv({ coerceTypes: true })))],
        create: [hooks.validateData(getValidator(NewContact, new Ajv({})))],
      },
    })
    const server = await app.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return `http://127.0.0.1:${server.address().port}`
  },
}

/** Those fields of a contact that a caller writes, and those that lists are sorted by. */
function schemas(Type: typeof import('typebox').Type, querySyntax: (schema: unknown) => never) {
  const NewContact = Type.Object(
    {
      phone_number: Type.String({ maxLength: 64 }),
      name: Type.Optional(Type.String({ maxLength: 255 })),
      custom_fields: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    },
    { additionalProperties: false },
  )
  const sortable = Type.Object({ id: Type.String(), name: Type.String() })
  return { NewContact, ContactFilter: querySyntax(sortable) }
}
