import { AppError } from '../../platform/errors.ts'

/** What can be done to the simulated platform and carrier, as far as callers may do it. */
export interface SimulatedPlatform {
  receive(inbound: {
    phone_number_id: string
    owner: string
    from?: string
    user_id?: string
    name?: string
    id?: string
    media?: { base64: string; mime_type: string; filename?: string }
    message: Record<string, unknown>
  }): Promise<string>
  changeTemplate(
    templateId: string,
    event: { event: string; reason?: string; score?: string; category?: string },
  ): Promise<void>
  /** Where the carrier can call us back; nothing while no process listens. */
  callbackBase(): Promise<string | undefined>
  call(inbound: {
    from: string
    to: string
    url: string
    status_url: string
    account_sid: string
    auth_token: string
    script?: string[]
    seed?: string
  }): Promise<string>
}

/** What is our own refusal stays one; anything else is the simulator's. */
export const simulatorFailed = (error: unknown): unknown =>
  error instanceof AppError
    ? error
    : new AppError(
        502,
        'The simulator did not do it',
        { upstream: { code: 'simulator', message: (error as Error).message } },
        error,
      )
