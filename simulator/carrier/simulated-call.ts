/** A call at the simulated carrier. */
export interface SimulatedCall {
  sid: string
  accountSid: string
  /** The key that signs its callbacks; never shown. */
  authToken: string
  from: string
  to: string
  direction: 'outbound-api' | 'inbound'
  status: string
  answerUrl: string
  statusUrl: string | undefined
  machineUrl: string | undefined
  waitsForGreeting: boolean
  ringSeconds: number
  script: string[]
  seed: string
  createdAt: number
  answeredAt: number | undefined
  endedAt: number | undefined
  /** What the service had the carrier say, and where it had it connect the call. */
  said: string[]
  dialed: string[]
  /** What people heard who answered a transfer, before the caller was connected. */
  briefed: string[]
  /** The keys whose tones the service played. */
  pressed: string
}

export type CallPlan = Pick<
  SimulatedCall,
  'accountSid' | 'authToken' | 'from' | 'to' | 'direction' | 'answerUrl' | 'statusUrl' | 'machineUrl'
> &
  Partial<Pick<SimulatedCall, 'waitsForGreeting' | 'ringSeconds' | 'script' | 'seed'>>

const endings = ['completed', 'busy', 'no-answer', 'failed', 'canceled']
export const isEnded = ({ status }: SimulatedCall): boolean => endings.includes(status)

/** The parameters that every callback of a call carries. */
export function factsOf({ sid, accountSid, from, to, status, direction }: SimulatedCall): Record<string, string> {
  return {
    CallSid: sid,
    AccountSid: accountSid,
    From: from,
    To: to,
    CallStatus: status,
    Direction: direction,
    ApiVersion: '2010-04-01',
  }
}
