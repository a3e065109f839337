import type { OutboundAnswer, OutboundError, OutboundHttp } from '../../platform/outbound-fetch.ts'
import { parseObject } from '../../platform/parse-json.ts'
import {
  type Carrier,
  type CarrierAccount,
  type CarrierCall,
  CarrierError,
  type CarrierStatus,
  carrierStatuses,
  type OutgoingCall,
} from './contract.ts'
import { dialTwiml } from './twilio-hooks.ts'

interface TwilioOptions {
  /** `https://api.twilio.com`, or any server with the same REST API. */
  baseUrl: string
  http: OutboundHttp
}

/** The time limit of one REST request. Requests are not retried, because the carrier has no idempotency key. */
const timeLimitMs = 10_000
const mostBytes = 256 * 1024
/** Codes for a call that the carrier does not know (20404) or that can no longer be changed (21220). */
const isGone = (code: string) => code === '20404' || code === '21220' || code === 'http_404'

export function createTwilio({ baseUrl, http }: TwilioOptions): { connect(account: CarrierAccount): Carrier } {
  const root = `${baseUrl.replace(/\/$/, '')}/2010-04-01/Accounts`

  return {
    connect({ accountSid, authToken }) {
      const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
      const account = `${root}/${encodeURIComponent(accountSid)}`

      async function ask(path: string, form?: URLSearchParams): Promise<Record<string, unknown>> {
        const answer = await http.fetch({
          url: account + path,
          method: form ? 'POST' : 'GET',
          headers: {
            authorization,
            accept: 'application/json',
            ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
          },
          ...(form && { body: form.toString() }),
          timeLimitMs,
          maxBytes: mostBytes,
          explain: toCarrierError,
        })
        return readAnswer(answer)
      }
      const change = (callId: string, form: Record<string, string>) =>
        ask(`/Calls/${encodeURIComponent(callId)}.json`, new URLSearchParams(form))

      return {
        async placeCall(call) {
          return toCall(await ask('/Calls.json', toForm(call)))
        },
        async endCall(callId) {
          try {
            await change(callId, { Status: 'completed' })
            return 'ended'
          } catch (error) {
            if (error instanceof CarrierError && isGone(error.code)) return 'gone'
            throw error
          }
        },
        async transferCall(callId, to) {
          // The time limit of the original call was meant for the agent and would cut off the colleague.
          await change(callId, { Twiml: dialTwiml(to), TimeLimit: String(to.longestSeconds) })
        },
        async findCall(callId) {
          try {
            return toCall(await ask(`/Calls/${encodeURIComponent(callId)}.json`))
          } catch (error) {
            if (error instanceof CarrierError && isGone(error.code)) return undefined
            throw error
          }
        },
      }
    },
  }
}

function toForm(call: OutgoingCall): URLSearchParams {
  const form = new URLSearchParams({
    To: call.to,
    From: call.from,
    Url: call.answerUrl,
    Method: 'POST',
    StatusCallback: call.statusUrl,
    StatusCallbackMethod: 'POST',
    Timeout: String(call.ringSeconds),
    TimeLimit: String(call.longestSeconds),
    MachineDetection: call.waitForGreeting ? 'DetectMessageEnd' : 'Enable',
    AsyncAmd: 'true',
    AsyncAmdStatusCallback: call.machineUrl,
    AsyncAmdStatusCallbackMethod: 'POST',
    ...call.simulation,
  })
  for (const event of ['initiated', 'ringing', 'answered', 'completed']) form.append('StatusCallbackEvent', event)
  return form
}

function toCarrierError(error: OutboundError): CarrierError {
  const { fault, sent, message } = error
  if (!sent)
    return new CarrierError('retry', 'unreachable', `The carrier cannot be reached: ${message}`, { cause: error })
  const code = fault === 'timeout' ? 'timeout' : 'no_answer'
  return new CarrierError('unknown', code, `The carrier did not answer: ${message}`, { cause: error })
}

function readAnswer({ status, headers, body }: OutboundAnswer<Buffer>): Record<string, unknown> {
  const answer = parseObject(body)
  if (status >= 200 && status < 300) {
    if (answer) return answer
    throw new CarrierError(
      'unknown',
      'bad_answer',
      'The carrier accepted it and answered with something else than JSON',
    )
  }
  const code = answer?.code === undefined ? `http_${status}` : String(answer.code)
  const message = typeof answer?.message === 'string' ? answer.message.slice(0, 500) : `status ${status}`
  // A rate-limited request was not executed, so it is safe to retry. After a 5xx the outcome is unknown.
  if (status === 429) {
    const seconds = Number(headers['retry-after'])
    throw new CarrierError('retry', code, message, { retryAfterMs: seconds > 0 ? seconds * 1000 : 1000 })
  }
  throw new CarrierError(status >= 500 ? 'unknown' : 'fail', code, message)
}

function toCall({ sid, status, duration }: Record<string, unknown>): CarrierCall {
  if (typeof sid !== 'string' || sid === '')
    throw new CarrierError('unknown', 'bad_answer', 'The carrier accepted it without naming a call')
  return {
    id: sid,
    status: carrierStatuses.includes(status as CarrierStatus) ? (status as CarrierStatus) : 'queued',
    seconds: duration === null || duration === undefined || duration === '' ? null : Number(duration),
  }
}
