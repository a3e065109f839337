/** Which hook a webhook came by: an app of one organization and mode, or the app of the whole installation. */
export interface HookOwner {
  organizationId: string
  livemode: boolean
  /** Which platform app signed it: only channels of that app are touched. */
  appHash: Buffer
}

/** A webhook as it came; `owner` is null for the hook of the whole installation. */
export interface IncomingHook {
  id: string
  owner: HookOwner | null
  body: Buffer
}
