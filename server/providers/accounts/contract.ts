/** Providers that an organization can have an account of its own at. */
export const accountProviders = ['openai', 'anthropic', 'google', 'deepgram', 'elevenlabs', 'cartesia'] as const
export type AccountProvider = (typeof accountProviders)[number]

/** API keys by provider. Null for a key that is set and cannot be opened: no other key may be used in its place. */
export type ProviderKeys = Partial<Record<AccountProvider, string | null>>

export const unopenedKey = (provider: AccountProvider): string =>
  `The organization’s key for ${providerNames[provider]} cannot be opened: set it again under provider keys`

/** The keys of an organization for its own accounts; empty without any. */
export type KeysOf = (organizationId: string) => Promise<ProviderKeys>

export const providerNames: Record<AccountProvider, string> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  deepgram: 'Deepgram',
  elevenlabs: 'ElevenLabs',
  cartesia: 'Cartesia',
}
