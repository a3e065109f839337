import type { Database, TenantTx } from '../../platform/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { findContactsInFlight } from '../campaigns/find-contacts-in-flight.ts'
import { changeIdentities, type IdentityChange } from '../contacts/senders/change-identities.ts'
import type { AppMessage } from '../inbox/business-app/app-message.ts'
import { recordEchoes } from '../inbox/business-app/record-echoes.ts'
import { type InboundReaction, recordReactions } from '../inbox/messages/record-reactions.ts'
import type { InboundEdit } from '../inbox/receiving/inbound-edit.ts'
import type { Receiving } from '../inbox/receiving/inbound-message.ts'
import { keepEditsAsMessages } from '../inbox/receiving/keep-edits-as-messages.ts'
import { recordEdits } from '../inbox/receiving/record-edits.ts'
import { type MessageStatus, recordStatuses } from '../inbox/receiving/record-statuses.ts'
import {
  claimEarlyUpdates,
  deleteEarlyUpdates,
  type EarlyUpdate,
  insertEarlyUpdates,
  listTenantsWithDueUpdates,
  postponeEarlyUpdates,
} from './early-queries.ts'
import { lockEveryone } from './lock-everyone.ts'

/**
 * When to look again for the message of an early status, reaction, edit or echo, or for the person of a change of
 * identity. After the last attempt the message is not
 * one of ours; the new text of an edit is then stored as a message.
 */
const delaysMs = [1_000, 4_000, 15_000, 60_000, 240_000]
const mostAtOnce = 1_000

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
  const rows = [
    ...(await recordStatuses(tx, statuses, deps)).map((data) => ({ id: newId(), kind: 'status' as const, data })),
    ...(await recordReactions(tx, reactions, deps)).map((data) => ({ id: newId(), kind: 'reaction' as const, data })),
    ...(await recordEdits(tx, edits, deps)).map((data) => ({ id: newId(), kind: 'edit' as const, data })),
    ...(await recordAppEchoes(tx, echoes, deps, false)).map((data) => ({ id: newId(), kind: 'echo' as const, data })),
  ]
  if (rows.length > 0) await insertEarlyUpdates(tx, rows, delaysMs[0] as number)
}

/**
 * Applies changes of numbers and accounts, and stores those of unknown people for a retry: the change that they follow
 * may arrive later.
 */
export async function changeOrKeep(tx: TenantTx, changes: IdentityChange[], deps: Receiving): Promise<void> {
  const left = await changeIdentities(tx, changes, deps)
  const rows = left.map((data) => ({ id: newId(), kind: 'identity' as const, data }))
  if (rows.length > 0) await insertEarlyUpdates(tx, rows, delaysMs[0] as number)
}

/** Retries the updates that are due. A failure in one organization does not delay the others. */
export async function retryEarlyUpdates({ database, log, ...deps }: Retrying): Promise<void> {
  for (const { organization_id: organizationId, livemode } of await listTenantsWithDueUpdates(database.forSystem()))
    await database
      .inTenant({ organizationId, livemode }, (tx) => retryInTenant(tx, deps))
      .catch((error) => log.error({ err: error, organizationId }, 'inbound webhook: retry of early updates failed'))
}

interface Retrying extends Receiving {
  database: Database
  log: Log
}

async function retryInTenant(tx: TenantTx, deps: Receiving): Promise<void> {
  const due = await claimEarlyUpdates(tx, mostAtOnce)
  const ofKind = <T>(kind: EarlyUpdate['kind']) =>
    new Map(due.filter((each) => each.kind === kind).map((each) => [each.data as T, each]))
  const statuses = ofKind<MessageStatus>('status')
  const reactions = ofKind<InboundReaction>('reaction')
  const edits = ofKind<InboundEdit>('edit')
  const identities = ofKind<IdentityChange>('identity')
  const echoes = ofKind<AppMessage>('echo')
  await lockEveryone(tx, {
    statuses: [...statuses.keys()],
    reactions: [...reactions.keys()],
    edits: [...edits.keys()],
    identities: [...identities.keys()],
    echoes: [...echoes.keys()],
  })
  // After the last attempt the echo is not of one of our messages.
  const isLast = (echo: AppMessage) => delaysMs[(echoes.get(echo) as EarlyUpdate).attempts + 1] === undefined
  await recordAppEchoes(tx, [...echoes.keys()].filter(isLast), deps, true)
  const waiting = [...echoes.keys()].filter((echo) => !isLast(echo))
  const left = [
    ...(await changeIdentities(tx, [...identities.keys()], deps)).map((each) => identities.get(each) as EarlyUpdate),
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
