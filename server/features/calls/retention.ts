import { deleteOldEvents } from '../../platform/events.ts'
import type { RetentionRule } from '../../platform/personal-data.ts'
import { callEvents } from './events.ts'
import { deleteOldCalls, detachOldRecordings, stripOldTranscripts } from './retention-queries.ts'

export const callRetention: RetentionRule[] = [
  { kind: 'transcripts', table: 'calls', expire: stripOldTranscripts },
  { kind: 'recordings', table: 'calls', expire: detachOldRecordings },
  { kind: 'call_logs', table: 'calls', expire: deleteOldCalls },
  // Events quote calls with their transcripts.
  { kind: 'transcripts', table: 'events', expire: deleteOldEvents(callEvents) },
  { kind: 'call_logs', table: 'events', expire: deleteOldEvents(callEvents) },
]
