import Type, { type Static } from 'typebox'
import { secret } from './setting.ts'

export const DatabaseSettings = Type.Object(
  {
    DATABASE_URL: secret({
      pattern: '^postgres(ql)?://',
      description:
        'A PostgreSQL server (15 or newer) to use in place of the embedded one, such as `postgres://user:password@host:5432/database`. The user must own the database and may create roles. Requires `SECRET_KEY`.',
    }),
    TENANT_DATABASE_URL: secret({
      pattern: '^postgres(ql)?://',
      description:
        'Connection for requests to the database of `DATABASE_URL`: the same address with a separate user, which sees one organization at a time and cannot become the owner. The migration creates that user with this password if it is missing. If unset, requests connect as the owner.',
    }),
    DATABASE_POOLER_URL: Type.Optional(
      Type.String({
        pattern: '^postgres(ql)?://[^@]+$',
        description:
          'A pooler such as PgBouncer in transaction mode, in front of the database of `DATABASE_URL`: `postgres://pooler:6432/frontdesk`, with the users and passwords of `DATABASE_URL` and `TENANT_DATABASE_URL`. Requests and work go through it. `DATABASE_URL` stays direct: migrations, the job queue and notifications need sessions.',
      }),
    ),
    REPLICA_DATABASE_URL: secret({
      pattern: '^postgres(ql)?://',
      description:
        'A streaming replica of the database of `DATABASE_URL`, with the user of `TENANT_DATABASE_URL`. Exports of contacts and of the audit log, reports and the daily figures of the dashboard are read from it while it is at most 10 seconds behind, else from the primary.',
    }),
    DATABASE_POOL_SIZE: Type.Integer({
      minimum: 2,
      maximum: 200,
      default: 10,
      description: 'Connections that a process opens for requests; about as many again serve jobs and sign-in.',
    }),
    ORGANIZATION_CONNECTIONS: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 200,
        description:
          'How many of the `DATABASE_POOL_SIZE` connections a busy organization uses at once for its requests and jobs while others are active. Half of the cores that PostgreSQL has, divided by the number of processes, keeps the others fast. Defaults to half of the cores with the embedded server, otherwise to its share of the connections, at least a quarter. Live calls are not limited.',
      }),
    ),
  },
  { title: 'Database' },
)

export type DatabaseSettings = Static<typeof DatabaseSettings>

export function* databaseProblems(settings: DatabaseSettings): Iterable<string> {
  const { DATABASE_URL, TENANT_DATABASE_URL } = settings
  if (DATABASE_URL === undefined) {
    if (TENANT_DATABASE_URL)
      yield 'TENANT_DATABASE_URL requires DATABASE_URL: the embedded database already has such a user'
    if (settings.DATABASE_POOLER_URL)
      yield 'DATABASE_POOLER_URL requires DATABASE_URL, the direct address of the same database'
    if (settings.REPLICA_DATABASE_URL) yield 'REPLICA_DATABASE_URL requires DATABASE_URL, the primary of the replica'
  } else if (TENANT_DATABASE_URL === DATABASE_URL) yield 'TENANT_DATABASE_URL must name another user than DATABASE_URL'
}
