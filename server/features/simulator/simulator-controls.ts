import { AppError } from '../../platform/errors.ts'
import { unavailable } from '../../platform/unavailable.ts'

/** What API callers can do with the simulated platform and carrier. */
export interface SimulatedPlatform {
  receive(inbound: {
    phone_number_id: string
    owner: string
    from?: string
    user_id?: string
    username?: string
    name?: string
    id?: string
    media?: { base64: string; mime_type: string; filename?: string }
    tap?: string
    message: Record<string, unknown>
  }): Promise<string>
  /** Posts a webhook about the WhatsApp Business app on the number. */
  tellOfApp(event: {
    phone_number_id: string
    owner: string
    field: string
    value: Record<string, unknown>
  }): Promise<void>
  changeTemplate(
    templateId: string,
    event: { event: string; reason?: string; score?: string; category?: string },
  ): Promise<void>
  changeHealth(change: { owner: string; phone_number_id: string } & Record<string, unknown>): Promise<void>
  /** The base URL for the carrier's callbacks; undefined while no process listens. */
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

/** Keeps our own errors and a full disk; anything else is reported as a failure of the simulator. */
export const simulatorFailed = (error: unknown): unknown =>
  error instanceof AppError
    ? error
    : (unavailable(error) ??
      new AppError(
        502,
        'The simulator failed',
        { upstream: { code: 'simulator', message: (error as Error).message } },
        error,
      ))
