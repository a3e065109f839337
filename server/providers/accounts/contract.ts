/** Providers that an organization can have an account of its own at. */
export const accountProviders = ['openai', 'anthropic', 'google', 'deepgram', 'elevenlabs', 'cartesia'] as const
export type AccountProvider = (typeof accountProviders)[number]

/** API keys by provider. */
export type ProviderKeys = Partial<Record<AccountProvider, string>>

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
