/** The hook of a webhook: an app of one organization and mode, or the app of the whole installation. */
export interface HookOwner {
  organizationId: string
  livemode: boolean
  /** The platform app that signed it: only channels of that app are touched. */
  appHash: Buffer
}

/** A stored webhook; `owner` is null for the hook of the whole installation. */
export interface IncomingHook {
  id: string
  owner: HookOwner | null
  body: Buffer
  /** The trace of its request. */
  traceparent: string | null
}
