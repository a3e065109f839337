import Type, { type Static } from 'typebox'
import { Instant, Nullable, OneOf } from '../../platform/schemas.ts'
import { accountProviders } from '../../providers/accounts/contract.ts'

const provider = OneOf(accountProviders, { examples: ['deepgram'] })

export const ProviderKey = Type.Object(
  {
    provider,
    used_for: Type.Array(OneOf(['model', 'transcriber', 'voice', 'embeddings'] as const), {
      description: 'What this installation uses the provider for in live mode. Test mode calls no provider',
      examples: [['transcriber']],
    }),
    source: OneOf(['organization', 'installation', 'none'] as const, {
      description:
        'Whose key requests are sent with: the organization’s own, else the installation’s. With `none` the provider cannot be used',
    }),
    last_four: Nullable(
      Type.String({
        description: 'The end of the organization’s own key; null without one. The key itself is never shown',
        examples: ['x7Qp'],
      }),
    ),
    updated_at: Nullable({ ...Instant, description: 'When the organization’s own key was set' }),
  },
  { title: 'ProviderKey' },
)
export type ProviderKey = Static<typeof ProviderKey>

export const ProviderKeyList = Type.Object(
  { data: Type.Array(ProviderKey, { description: 'One entry for each provider' }) },
  { title: 'ProviderKeyList' },
)

export const NewProviderKey = Type.Object(
  {
    key: Type.String({
      minLength: 8,
      maxLength: 512,
      pattern: '^[\\x21-\\x7e]+$',
      description: 'The API key as the provider shows it. Stored encrypted, and never shown again',
      examples: ['9f8e7d6c5b4a39281706f5e4'],
    }),
  },
  { title: 'NewProviderKey', examples: [{ key: '9f8e7d6c5b4a39281706f5e4' }] },
)
export type NewProviderKey = Static<typeof NewProviderKey>

export const ProviderKeyPath = Type.Object({ provider })

export const ProviderKeyTest = Type.Object(
  {
    works: Type.Boolean({ description: 'Whether the provider accepts the key' }),
    message: Type.String({ examples: ['Deepgram accepts the key.'] }),
  },
  { title: 'ProviderKeyTest' },
)
