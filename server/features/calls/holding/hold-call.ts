import type { Database, TenantScope, TenantTx } from '../../../platform/database.ts'
import { emit } from '../../../platform/events.ts'
import type { Log } from '../../../platform/log.ts'
import type { FileStore } from '../../../providers/files/contract.ts'
import type { Speech } from '../../../providers/speech/speech.ts'
import { readMemory } from '../../agents/memory/read-memory.ts'
import { findContactBrief } from '../../contacts/find-contact-brief.ts'
import type { Sending } from '../../inbox/sending/send-message.ts'
import { recordQuestion } from '../../knowledge/gaps/record-question.ts'
import type { Mask } from '../../privacy/masking/create-mask.ts'
import { readMask } from '../../privacy/masking/read-mask.ts'
import type { Agents } from '../agents.ts'
import type { Carriers } from '../carriers/carriers.ts'
import type {
  CallMedia,
  ConversationEvent,
  ConversationOutcome,
  RunConversation,
  TurnLatency,
} from '../conversation/contract.ts'
import type { CallEndedReason } from '../ending/ended-reasons.ts'
import type { FinishedConversation } from '../ending/ending.ts'
import { finishCall } from '../ending/finish-call.ts'
import { hangUpCall, isCallRunning } from '../ending/hang-up-call.ts'
import { callStarted } from '../events.ts'
import { askForCallBack, handOff } from '../hand-off.ts'
import { latencyOf } from '../latency.ts'
import { beginConversation, type JoinedCall } from '../progress-queries.ts'
import { saveSegment } from '../queries.ts'
import { keepRecording, recordingFile, removeFile } from '../recordings/keep-recording.ts'
import type { Call } from '../schema.ts'
import type { EndStatus } from '../statuses.ts'
import { toolsOnCall } from '../tools/tools-on-call.ts'
import { removeTransfer } from '../transfers/queries.ts'
import { transferCall } from '../transfers/transfer-call.ts'
import { keyTermsOf } from './key-terms.ts'
import { briefingOf, givingUpOf, greetingOf, phrasesOf, speechToSpeechOf, talkAs } from './talk.ts'
import { type CallProviders, trackProviders } from './track-providers.ts'

export interface HoldDependencies {
  database: Database
  agents: Agents
  carriers: Carriers
  speech: Speech
  runConversation: RunConversation
  files: FileStore
  /** Sends chat messages during a call. */
  sending: Sending
  /** Folder for recordings in progress. */
  recordingsFolder: string
  observeTurns(turns: TurnLatency[]): void
  log: Log
}

interface HeldCall {
  joined: JoinedCall
  media: CallMedia
  /** Aborting ends the call. */
  signal: AbortSignal
  /** Receives the events of the conversation as they happen. */
  onEvent?: (event: ConversationEvent) => void
}

type HeldOutcome = ConversationOutcome & CallProviders

/** Time after the maximum duration until the reaper ends a conversation that did not end itself. */
const graceSeconds = 60

/** Test mode runs speech recognition and synthesis locally, which can be slow. No real caller waits for it. */
const testModeTimeouts = { modelTimeoutMs: 30_000, transcriberTimeoutMs: 30_000, voiceTimeoutMs: 30_000 }

/** Handles one call from the connection of its media socket until everything about it is saved. Never rejects. */
export async function holdCall({ joined, media, signal, onEvent }: HeldCall, deps: HoldDependencies): Promise<void> {
  const { database, log } = deps
  const scope = { organizationId: joined.organization_id, livemode: joined.livemode }
  try {
    const outcome = await converse({ joined, media, signal, ...(onEvent && { onEvent }) }, scope, deps)
    if (!outcome) return media.hangUp()
    await conclude(joined, media, outcome, scope, deps)
  } catch (error) {
    log.error({ err: error, call: joined.id }, 'call holder: call failed, ending it')
    media.hangUp()
    const ending = { status: 'failed', telephonyStatus: 'failed', endedReason: 'failed' } as const
    await database
      .inTenant(scope, (tx) => finishCall(tx, joined.id, ending))
      // If this fails too, the reaper ends the call after its deadline.
      .catch((failure) =>
        log.error(
          { err: failure, call: joined.id },
          'call holder: saving the failed call failed, leaving it to the reaper',
        ),
      )
  }
}

async function converse(
  { joined, media, signal, onEvent }: HeldCall,
  scope: TenantScope,
  deps: HoldDependencies,
): Promise<HeldOutcome | undefined> {
  const { database, agents, log } = deps
  const { id, contact_id, agent_id, direction, variables } = joined
  const sql = database.forTenant(scope)
  const agent = agent_id ? await agents.open(sql, agent_id) : undefined
  if (!agent) throw new Error('the agent of the call is gone')
  const contact = contact_id ? await findContactBrief(sql, contact_id) : undefined
  const mask = await readMask(sql)
  const { call_settings: settings, language, transcriber, voice_settings } = agent.config
  const deadlineSeconds = settings.max_duration_seconds + graceSeconds
  const call = await database.inTenant(scope, async (tx) => {
    const begun = await beginConversation(tx, id, { agentVersion: agent.version, deadlineSeconds })
    if (begun) await emit(tx, callStarted, begun)
    return begun
  })
  if (!call) return undefined

  const memory = await readMemory(sql, agent, { contactId: contact?.id, ticketId: null })
  const toolsFor = toolsOnCall(deps.sending, { scope, joined, agent, media })
  const providers = trackProviders(onEvent)
  const { onFallback } = providers
  const { speaker, ...speech } = await deps.speech.choose({
    ...scope,
    transcriber: { ...transcriber, fallbacks: agent.config.fallbacks.transcribers },
    voice: { ...voice_settings, fallbacks: agent.config.fallbacks.voices },
    speechToSpeech: speechToSpeechOf(agent),
    onFallback,
  })
  const talk = { scope, agent, contact, variables, memory, toolsFor, speaker, onFallback }
  const segments = createSegmentWriter(id, sql, log)
  const outcome = await deps.runConversation(media, {
    agent: {
      welcomeMessage: greetingOf(talk),
      language,
      endpointingMs: transcriber.endpointing_ms,
      interruptible: settings.interruptible,
      voicemail: settings.voicemail,
      detectsLanguage: settings.detect_language,
      turnTaking: agent.config.turn_taking,
      phrases: phrasesOf(talk),
      givingUp: givingUpOf(joined, agent.config),
    },
    call: { id, direction },
    converse: providers.meter(talkAs(agents, talk)),
    ...speech,
    // Test mode has no hosted recognizer.
    keyTerms: scope.livemode ? await keyTermsOf(sql, agent, contact) : [],
    recordingPath: settings.record ? recordingFile(deps.recordingsFolder, scope, id) : null,
    limits: {
      maxDurationMs: settings.max_duration_seconds * 1000,
      silenceTimeoutMs: settings.silence_timeout_seconds * 1000,
      silenceReminders: { count: settings.silence_reminders, everyMs: settings.silence_reminder_seconds * 1000 },
      ...(!scope.livemode && testModeTimeouts),
    },
    onEvent(event) {
      if (event.type === 'transcript.final') segments.add(maskTexts(mask, event.segment))
      onEvent?.(event)
    },
    transfer: ({ to, reason, notTaken }) =>
      transferCall(joined, { to, language, briefing: briefingOf(talk, joined, mask(reason)), notTaken }, scope, deps),
    signal,
  })
  await segments.settled()
  await providers.addUnreported(outcome.usage.model, speaker)
  return {
    ...outcome,
    ...providers.result(speech),
    transcript: maskTexts(mask, outcome.transcript),
    tools: maskTexts(mask, outcome.tools),
    unanswered: maskTexts(mask, outcome.unanswered),
    ...(outcome.handoffReason !== undefined && { handoffReason: maskTexts(mask, outcome.handoffReason) }),
  }
}

/** The value with all its texts masked: what is stored of a conversation. */
function maskTexts<T>(mask: Mask, value: T): T {
  if (typeof value === 'string') return mask(value) as T
  if (Array.isArray(value)) return value.map((each) => maskTexts(mask, each)) as T
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, maskTexts(mask, each)])) as T
}

/** Saves transcript segments one after another during the call, so that they survive a crash of this process. */
function createSegmentWriter(id: string, sql: Parameters<typeof saveSegment>[0], log: Log) {
  let writing: Promise<unknown> = Promise.resolve()
  let next = 0
  return {
    add(segment: Parameters<typeof saveSegment>[3]) {
      const number = next++
      writing = writing
        .then(() => saveSegment(sql, id, number, segment))
        .catch((error) => log.warn({ err: error, call: id }, 'call holder: saving a transcript segment failed'))
    },
    settled: () => writing,
  }
}

async function conclude(
  joined: JoinedCall,
  media: CallMedia,
  outcome: HeldOutcome,
  scope: TenantScope,
  deps: HoldDependencies,
): Promise<void> {
  const { database, log } = deps
  const { id } = joined
  const { failedTransfer } = outcome
  const farEndLeft = outcome.endedReason === 'caller_hung_up' || outcome.endedReason === 'line_lost'
  let endedReason: CallEndedReason = outcome.endedReason
  if (failedTransfer && farEndLeft)
    endedReason = (await wasTransferred(joined, outcome, scope, deps)) ? 'transferred' : 'handed_off'
  // Even if the caller hung up during the announcement: the agent had promised a call back.
  if (outcome.gaveUp && endedReason !== 'transferred') endedReason = 'failed'
  if (endedReason !== 'transferred') media.hangUp()
  deps.observeTurns(outcome.latency)
  const recorded = outcome.recording && outcome.recording.durationMs > 0 ? outcome.recording : null
  const recording = recorded && (await keepRecording(recorded.file, scope, id, deps))
  const conversation: FinishedConversation = {
    durationSeconds: Math.ceil(outcome.durationMs / 1000),
    transcript: outcome.transcript,
    latency: latencyOf(outcome.latency, outcome.earlyStarts),
    usage: outcome.usage,
    failures: outcome.failures,
    tools: outcome.tools,
    fallbacks: outcome.fallbacks,
    ownKeys: outcome.ownKeys,
    handoffReason: endedReason === 'handed_off' ? (outcome.handoffReason ?? '') : null,
    recording,
  }
  const failure = endedReason === 'failed' ? outcome.failures.at(-1) : undefined
  const message = [failure?.message, failedTransfer && `The transfer failed: ${failedTransfer.message}`]
    .filter(Boolean)
    .join('. ')
  const error = failure && { code: `${failure.stage}_failed`, message }
  const status = statusOf(endedReason, outcome)
  const isWritten = await database.inTenant(scope, async (tx) => {
    if (failedTransfer && endedReason !== 'transferred') await removeTransfer(tx, id)
    const call = await finishCall(tx, id, { status, telephonyStatus: 'completed', endedReason, error, conversation })
    if (call && endedReason === 'handed_off') await handOff(tx, call, outcome.handoffReason)
    if (call) await recordGaps(tx, call, outcome)
    if (call && failure) await askForCallBack(tx, call, `The agent’s ${failure.stage} failed: ${message}`)
    return call !== undefined
  })
  // A call that ended before its first frame has an empty recording.
  if (outcome.recording && (recorded ? isWritten && recording : true)) await removeFile(outcome.recording.file)
  // Closing the socket normally ends the call at the carrier; hang up explicitly in case it does not. Never after the far
  // end has left: the carrier may have transferred the caller without saying so.
  if (joined.medium === 'phone' && endedReason !== 'transferred' && outcome.endedReason !== 'caller_hung_up')
    await hangUpCall(joined, scope, deps).catch((error) =>
      log.warn({ err: error, call: id }, 'call holder: hanging up at the carrier failed'),
    )
}

/** A call with a number and without a contact keeps none: erasing the person later would not find them. */
async function recordGaps(tx: TenantTx, call: Call, { unanswered }: ConversationOutcome): Promise<void> {
  const { id, contact_id: contactId, agent_id: agentId, from_number, to_number } = call
  if (contactId === null && (from_number || to_number)) return
  for (const [turn, { question: text, reason }] of unanswered.entries())
    await recordQuestion(tx, {
      askedIn: `call ${id} ${turn}`,
      contactId,
      ticketId: null,
      callId: id,
      agentId,
      text,
      reason,
    })
}

/**
 * Whether a call was transferred although the carrier did not confirm it: its audio connection was closed, and the call
 * is still in progress at the carrier. If the carrier does not answer this either, a person calls back.
 */
async function wasTransferred(
  joined: JoinedCall,
  { failedTransfer, endedReason }: ConversationOutcome,
  scope: TenantScope,
  deps: HoldDependencies,
): Promise<boolean> {
  if (failedTransfer?.result !== 'unknown' || endedReason !== 'caller_hung_up') return false
  return isCallRunning(joined, scope, deps).catch((error) => {
    deps.log.warn({ err: error, call: joined.id }, 'call holder: looking up a transferred call failed')
    return false
  })
}

/** A lost connection counts as completed if the caller had spoken. A call that the agent gave up has failed. */
function statusOf(endedReason: CallEndedReason, { transcript }: ConversationOutcome): EndStatus {
  if (endedReason === 'failed') return 'failed'
  const hasTalked = transcript.some(({ speaker }) => speaker === 'caller')
  return endedReason === 'line_lost' && !hasTalked ? 'failed' : 'completed'
}
