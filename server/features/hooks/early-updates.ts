import type { Database, TenantScope, TenantTx } from '../../platform/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { findContactsInFlight } from '../campaigns/deliveries/find-contacts-in-flight.ts'
import { addressesOf } from '../contacts/find-person.ts'
import { changeIdentities, type IdentityChange } from '../contacts/senders/change-identities.ts'
import { findKnownSenders } from '../contacts/senders/find-senders.ts'
import type { AppMessage } from '../inbox/business-app/app-message.ts'
import { recordEchoes } from '../inbox/business-app/record-echoes.ts'
import { type InboundReaction, recordReactions } from '../inbox/messages/record-reactions.ts'
import type { InboundEdit } from '../inbox/receiving/inbound-edit.ts'
import type { Receiving } from '../inbox/receiving/inbound-message.ts'
import { keepEditsAsMessages } from '../inbox/receiving/keep-edits-as-messages.ts'
import { recordEdits } from '../inbox/receiving/record-edits.ts'
import { type MessageStatus, recordStatuses } from '../inbox/receiving/record-statuses.ts'
import { findErasureTimes } from '../privacy/erasure/erased-addresses.ts'
import { applyPreferences } from './apply-preferences.ts'
import {
  claimEarlyUpdate,
  claimEarlyUpdates,
  deleteEarlyUpdates,
  type EarlyUpdate,
  insertEarlyUpdates,
  listDueUpdates,
  listTenantsWithDueUpdates,
  noteFailure,
  postponeEarlyUpdates,
} from './early-queries.ts'
import { lockEveryone } from './lock-everyone.ts'
import type { Preference } from './payloads/read-payload.ts'

/**
 * When to look again for the message of an early status, reaction, edit or echo, or for the person of a change of
 * identity or a preference. After the last attempt the message or person is not one of ours; the new text of an edit is
 * then stored as a message.
 */
const delaysMs = [1_000, 4_000, 15_000, 60_000, 240_000]
const mostAtOnce = 1_000

/** How long the updates of a failed batch are tried one by one before other organizations have their turn. */
const oneByOneMs = 15_000
/** An update that keeps failing is deleted after an hour, at one attempt every four minutes. */
const mostFailures = 15

interface Early {
  statuses: MessageStatus[]
  reactions: InboundReaction[]
  edits: InboundEdit[]
  echoes: AppMessage[]
}

const recordAppEchoes = (tx: TenantTx, echoes: AppMessage[], deps: Receiving, isLast: boolean) =>
  recordEchoes(tx, echoes, { ...deps, findBusy: (contactIds) => findContactsInFlight(tx, contactIds), isLast })

/** Applies statuses, reactions, edits and echoes, and stores those whose message is not known yet for a retry. */
export async function applyOrKeep(
  tx: TenantTx,
  { statuses, reactions, edits, echoes }: Early,
  deps: Receiving,
): Promise<void> {
  await keep(tx, {
    status: await recordStatuses(tx, statuses, deps),
    reaction: await recordReactions(tx, reactions, deps),
    edit: await recordEdits(tx, edits, deps),
    echo: await recordAppEchoes(tx, echoes, deps, false),
  })
}

async function keep(tx: TenantTx, early: Partial<Record<EarlyUpdate['kind'], object[]>>): Promise<void> {
  const rows = Object.entries(early).flatMap(([kind, all]) =>
    all.map((data) => ({ id: newId(), kind: kind as EarlyUpdate['kind'], data })),
  )
  if (rows.length > 0) await insertEarlyUpdates(tx, rows, delaysMs[0] as number)
}

/**
 * Applies changes of numbers and accounts, and stores those of unknown people for a retry: the change that they follow
 * may arrive later.
 */
export async function changeOrKeep(tx: TenantTx, changes: IdentityChange[], deps: Receiving): Promise<void> {
  await keep(tx, { identity: await changeLiving(tx, changes, deps) })
}

/**
 * Applies preferences, and stores those of unknown people for a retry: the status that links their user id to a contact
 * may arrive later.
 */
export async function preferOrKeep(tx: TenantTx, preferences: Preference[]): Promise<void> {
  await keep(tx, { preference: await applyPreferences(tx, preferences) })
}

/**
 * Without changes that would store an erased address again: those from before an erasure, and those of an erased address
 * that no contact has had since.
 */
async function changeLiving(tx: TenantTx, changes: IdentityChange[], deps: Receiving): Promise<IdentityChange[]> {
  if (changes.length === 0) return []
  const addresses = changes.flatMap(({ from, to }) => [from, to])
  const times = await findErasureTimes(
    tx,
    deps.secrets,
    addresses.map(({ phoneNumber, userId }) => addressesOf(phoneNumber, userId)),
  )
  const owners = times.some(Boolean)
    ? await findKnownSenders(
        tx,
        changes.map(({ from, at }) => ({ ...from, name: '', at })),
      )
    : []
  const living = changes.filter(({ at }, i) => {
    const [fromErasedAt, toErasedAt = ''] = times.slice(2 * i)
    return at > toErasedAt && (fromErasedAt === undefined || (at > fromErasedAt && owners[i]))
  })
  return changeIdentities(tx, living, deps)
}

interface Retrying extends Receiving {
  database: Database
  log: Log
}

/** Retries the updates that are due. A failure in one organization does not delay the others. */
export async function retryEarlyUpdates(retrying: Retrying): Promise<void> {
  const { database, log } = retrying
  for (const { organization_id: organizationId, livemode } of await listTenantsWithDueUpdates(database.forSystem()))
    await retryTenant(retrying, { organizationId, livemode }).catch((error) =>
      log.error({ err: error, organizationId }, 'inbound webhook: retry of early updates failed'),
    )
}

/** All of them in one transaction or, if it fails, each in its own: the others do not wait for the one that fails. */
async function retryTenant({ database, log, ...deps }: Retrying, scope: TenantScope): Promise<void> {
  const started = performance.now()
  const isDone = await database
    .inTenant(scope, async (tx) => retryUpdates(tx, await claimEarlyUpdates(tx, mostAtOnce), deps))
    .then(
      () => true,
      () => false,
    )
  if (isDone) return
  for (const { id } of await listDueUpdates(database.forTenant(scope), mostAtOnce)) {
    if (performance.now() - started > oneByOneMs) return
    const retrying = database.inTenant(scope, async (tx) => retryUpdates(tx, await claimEarlyUpdate(tx, id), deps))
    await retrying.catch(async (error) => {
      const isDeleted = await database.inTenant(scope, (tx) => giveBack(tx, id))
      if (isDeleted)
        log.error({ err: error, update: id }, 'inbound webhook: early update deleted, could not be applied')
      else log.warn({ err: error, update: id }, 'inbound webhook: early update could not be applied, will be retried')
    })
  }
}

/** Postpones an update that failed, or deletes it after the last attempt and returns true. */
async function giveBack(tx: TenantTx, id: string): Promise<boolean> {
  const failed = await noteFailure(tx, id, delaysMs.at(-1) as number)
  return failed !== undefined && failed.attempts >= mostFailures && (await deleteEarlyUpdates(tx, [id])) > 0
}

async function retryUpdates(tx: TenantTx, due: EarlyUpdate[], deps: Receiving): Promise<void> {
  const ofKind = <T>(kind: EarlyUpdate['kind']) =>
    new Map(due.filter((each) => each.kind === kind).map((each) => [each.data as T, each]))
  const statuses = ofKind<MessageStatus>('status')
  const reactions = ofKind<InboundReaction>('reaction')
  const edits = ofKind<InboundEdit>('edit')
  const identities = ofKind<IdentityChange>('identity')
  const echoes = ofKind<AppMessage>('echo')
  const preferences = ofKind<Preference>('preference')
  await lockEveryone(tx, {
    statuses: [...statuses.keys()],
    reactions: [...reactions.keys()],
    edits: [...edits.keys()],
    identities: [...identities.keys()],
    echoes: [...echoes.keys()],
    preferences: [...preferences.keys()],
  })
  // After the last attempt the echo is not of one of our messages.
  const isLast = (echo: AppMessage) => delaysMs[(echoes.get(echo) as EarlyUpdate).attempts + 1] === undefined
  await recordAppEchoes(tx, [...echoes.keys()].filter(isLast), deps, true)
  const waiting = [...echoes.keys()].filter((echo) => !isLast(echo))
  const left = [
    ...(await changeLiving(tx, [...identities.keys()], deps)).map((each) => identities.get(each) as EarlyUpdate),
    ...(await applyPreferences(tx, [...preferences.keys()])).map((each) => preferences.get(each) as EarlyUpdate),
    ...(await recordAppEchoes(tx, waiting, deps, false)).map((each) => echoes.get(each) as EarlyUpdate),
    ...(await recordStatuses(tx, [...statuses.keys()], deps)).map((each) => statuses.get(each) as EarlyUpdate),
    ...(await recordReactions(tx, [...reactions.keys()], deps)).map((each) => reactions.get(each) as EarlyUpdate),
    ...(await recordEdits(tx, [...edits.keys()], deps)).map((each) => edits.get(each) as EarlyUpdate),
  ]
  const again = left.flatMap(({ id, attempts }) => {
    const delayMs = delaysMs[attempts + 1]
    return delayMs === undefined ? [] : [{ id, attempts: attempts + 1, delayMs }]
  })
  const kept = new Set(again.map(({ id }) => id))
  const lost = left.filter(({ id, kind }) => kind === 'edit' && !kept.has(id))
  await keepEditsAsMessages(
    tx,
    lost.map(({ data }) => data as unknown as InboundEdit),
    deps,
  )
  await deleteEarlyUpdates(
    tx,
    due.flatMap(({ id }) => (kept.has(id) ? [] : [id])),
  )
  if (again.length > 0) await postponeEarlyUpdates(tx, again)
}
