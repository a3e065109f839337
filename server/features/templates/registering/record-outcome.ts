import type { TenantTx } from '../../../platform/database.ts'
import { storable } from '../../../platform/storable.ts'
import type { ChatError } from '../../../providers/chat/contract.ts'
import type { PlatformTemplate, TemplateVerdict } from '../../../providers/chat/template-contract.ts'
import { withoutFullStop } from '../../channels/connections/upstream.ts'
import { announceChanges } from '../announce.ts'
import { applyListing, applyVerdict, type KnownTemplate, wholeSecond } from '../facts.ts'
import { enqueueRegistration } from '../job-kinds.ts'
import { updateKnownTemplates } from '../queries.ts'
import type { Template } from '../schema.ts'
import { isRefusal } from './is-refusal.ts'
import { type ClaimedTemplate, endAttempt, holdAccount, liftHold, postpone, refuse } from './registration-queries.ts'

/** The outcome of a registration attempt. */
export type RegistrationOutcome =
  | { kind: 'registered'; verdict: TemplateVerdict & { name: string }; at: string }
  | { kind: 'found'; template: PlatformTemplate }
  | { kind: 'refused'; reason: string }
  | { kind: 'disconnected' }
  | { kind: 'account_held'; seconds: number }
  | ({ kind: 'not_yet'; registration: 'registering' | 'uncertain' | 'held'; error: string; mayExist: boolean } & Wait)

interface Wait {
  /** Undefined: grows with each attempt. */
  seconds?: number | undefined
  /** Whether the whole account should wait. */
  holdsAccount: boolean
}

const hour = 3600

/** What a failure means for the registration, in words that say what happens next. */
export function outcomeOf(error: ChatError, mayExist: boolean): RegistrationOutcome {
  const said = withoutFullStop(storable(error.message))
  const seconds = error.retryAfterMs === null ? undefined : secondsUntil(error, error.retryAfterMs)
  const holdsAccount = error.scope !== 'request' && error.scope !== 'template' && error.scope !== 'recipient'
  if (isRefusal(error)) return { kind: 'refused', reason: `${said} (${codesOf(error)})` }
  switch (error.verdict) {
    case 'token_expired':
    case 'pause': {
      const todo =
        error.verdict === 'token_expired'
          ? 'The platform does not accept the channel’s access token any more: give the channel a new one'
          : 'The platform takes no templates from this account at the moment'
      const text = `${todo}. It said: ${said} (${codesOf(error)}). It is tried again by itself.`
      return { kind: 'not_yet', registration: 'held', error: text, mayExist, seconds: hour, holdsAccount: true }
    }
    case 'unknown': {
      const text = `The platform was asked, and it is not known whether it has taken the template: ${said}. It is looked up and tried again by itself.`
      return { kind: 'not_yet', registration: 'uncertain', error: text, mayExist: true, holdsAccount: isSilence(error) }
    }
    case 'fail':
    case 'retry': {
      const text = `The platform has not taken it yet: ${said}. It is tried again by itself.`
      const hold = holdsAccount || isSilence(error)
      const registration = mayExist ? 'uncertain' : 'registering'
      return { kind: 'not_yet', registration, error: text, mayExist, seconds, holdsAccount: hold }
    }
  }
}

/**
 * The platform's hints are meant for bulk senders: templates are few, may retry sooner, and then less and less often.
 */
const secondsUntil = ({ waitIsGuessed }: ChatError, ms: number) => (waitIsGuessed ? Math.min(ms / 1000, 15) : ms / 1000)

const codesOf = ({ code, subcode }: ChatError) => (subcode ? `code ${code}, ${subcode}` : `code ${code}`)

/** No answer: the next template would wait as long in vain. */
const isSilence = ({ code }: ChatError) => ['timeout', 'unreachable', 'no_answer'].includes(code)

/** Records it together with the next attempt, if there is one. Returns whether the template still exists. */
export async function recordOutcome(
  tx: TenantTx,
  claimed: ClaimedTemplate,
  outcome: RegistrationOutcome,
): Promise<boolean> {
  const before = await endAttempt(tx, claimed.id)
  if (!before) return false
  const after = await writeOutcome(tx, before, claimed, outcome)
  if (after) await announceChanges(tx, [{ before: withoutTimes(before), after }])
  return true
}

async function writeOutcome(
  tx: TenantTx,
  before: KnownTemplate,
  { may_exist: mayExist, attempts, claimed_at: claimedAt }: ClaimedTemplate,
  outcome: RegistrationOutcome,
): Promise<Template | undefined> {
  switch (outcome.kind) {
    case 'registered':
      return registered(tx, applyVerdict(before, storable(outcome.verdict), wholeSecond(outcome.at)))
    case 'found':
      // The platform's state is taken over; the caller's own components stay.
      return registered(tx, applyListing(before, storable(outcome.template), wholeSecond(new Date())))
    case 'refused':
      return refuse(tx, before.id, storable(outcome.reason))
    case 'disconnected': {
      const error = 'No channel leads to this business account any more: connect one. It is tried again by itself.'
      return (await again(tx, before, { registration: 'held', error, mayExist, seconds: hour, claimedAt })).after
    }
    case 'account_held': {
      // The template that met the account's problem shows the reason; this one only waits.
      const { registration, registration_error } = before
      const error = registration_error ?? 'The platform is left alone for a while. It is tried again by itself.'
      const seconds = outcome.seconds + Math.random() * 2
      return (await again(tx, before, { registration, error, mayExist, seconds, claimedAt })).after
    }
    case 'not_yet': {
      const wanted = Math.max(outcome.seconds ?? 0, backOff(attempts, before))
      const { after, seconds } = await again(tx, before, { ...outcome, seconds: wanted, claimedAt })
      if (outcome.holdsAccount) await holdAccount(tx, before.business_account_id, seconds)
      return after
    }
  }
}

async function registered(tx: TenantTx, known: KnownTemplate): Promise<Template | undefined> {
  const [after] = await updateKnownTemplates(tx, [known])
  await liftHold(tx, known.business_account_id)
  return after
}

async function again(
  tx: TenantTx,
  { id }: KnownTemplate,
  next: { registration: string; error: string; mayExist: boolean; seconds: number; claimedAt: string },
): Promise<{ after: Template; seconds: number }> {
  const { seconds, ...after } = await postpone(tx, id, next)
  await enqueueRegistration(tx, tx.scope, id, seconds)
  return { after, seconds }
}

/** From a second to a quarter of an hour, and every few hours after a day. */
function backOff(attempts: number, { created_at }: KnownTemplate): number {
  const day = 24 * hour
  if (Date.now() - Date.parse(created_at) > day * 1000) return 6 * hour
  return Math.min(2 ** Math.min(attempts, 20), hour / 4) * (1 + Math.random() / 4)
}

function withoutTimes({
  status_at,
  platform_status_at,
  quality_at,
  category_at,
  ...template
}: KnownTemplate): Template {
  return template
}
