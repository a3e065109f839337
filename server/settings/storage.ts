import Type, { type Static } from 'typebox'
import { isLoopback } from '../platform/loopback.ts'
import type { DatabaseSettings } from './database.ts'
import type { ServerSettings } from './server.ts'
import { secret, together } from './setting.ts'

export const StorageSettings = Type.Object(
  {
    DATA_DIR: Type.String({
      default: './data',
      description: 'Folder for the embedded database, its socket, the generated secret key and stored files.',
    }),
    SECRET_KEY: secret({
      minLength: 32,
      description:
        'Encrypts stored secrets; at least 32 characters, the same on every node. An embedded run on loopback generates one in `DATA_DIR`.',
    }),
    SECRET_KEY_PREVIOUS: secret({
      minLength: 32,
      description:
        'The other key while you rotate `SECRET_KEY`: stored secrets can be decrypted with either. Remove it after `frontdesk secrets rotate`.',
    }),
    S3_ENDPOINT: Type.Optional(
      Type.String({
        pattern: '^https?://[^/?#]+/?$',
        description:
          'An S3-compatible store for files in place of `DATA_DIR`, such as `https://s3.eu-central-1.amazonaws.com`. Required with several nodes, unless they share `DATA_DIR`. Requires the bucket and both keys.',
      }),
    ),
    S3_BUCKET: Type.Optional(
      Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$', description: 'Bucket for files. It must exist.' }),
    ),
    S3_REGION: Type.String({
      default: 'us-east-1',
      description: 'Region that requests to the store are signed for.',
    }),
    S3_ACCESS_KEY_ID: secret({ description: 'Id of the access key; it must be able to read, write and delete.' }),
    S3_SECRET_ACCESS_KEY: secret({ description: 'Secret of the access key.' }),
  },
  { title: 'Data and secrets' },
)

type StorageSettings = Static<typeof StorageSettings>

export function* storageProblems(
  settings: StorageSettings & Pick<DatabaseSettings, 'DATABASE_URL'> & Pick<ServerSettings, 'HOST'>,
): Iterable<string> {
  const { DATABASE_URL, HOST, SECRET_KEY, SECRET_KEY_PREVIOUS, S3_ENDPOINT } = settings
  if (!SECRET_KEY) {
    if (DATABASE_URL)
      yield 'SECRET_KEY is needed with DATABASE_URL: at least 32 random characters, the same on every node'
    else if (!isLoopback(HOST)) yield `SECRET_KEY is needed when HOST (${HOST}) is reachable from other machines`
  } else if (SECRET_KEY_PREVIOUS === SECRET_KEY) yield 'SECRET_KEY_PREVIOUS must be another key than SECRET_KEY'
  yield* together(settings, 'S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY')
  if (S3_ENDPOINT && !URL.canParse(S3_ENDPOINT)) yield 'S3_ENDPOINT must be a valid URL'
}
