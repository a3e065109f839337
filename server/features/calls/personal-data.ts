import type { Person, PersonalTable } from '../../platform/personal-data.ts'
import { sql } from '../../platform/sql.ts'
import { countRunningWith } from './queries.ts'

/** Calls of the contact, and calls with the number that belong to no contact. */
const ownCalls = ({ id, addresses }: Person) => sql`(contact_id = ${id} or (contact_id is null
  and from_number <> '' and from_number = any(${addresses}::text[])) or (contact_id is null
  and to_number <> '' and to_number = any(${addresses}::text[])))`

const inProgress = 'A call with this contact is in progress: end it first'

export const callData: PersonalTable[] = [
  {
    table: 'calls',
    rows: ownCalls,
    hasFiles: true,
    export: {
      columns: sql`id, direction, status, call_id, from_number, to_number, variables, metadata, transcript, summary,
        analysis, transfer, answered_by, duration_seconds, started_at, ended_at, file_key, 'recording.wav' as file_name`,
    },
    // Agent, duration and cost stay: the organization pays for them. A size of 0 keeps a recording that is still on a
    // node’s disk from being attached.
    erase: sql`contact_id = null, from_number = '', to_number = '', call_id = '', variables = '{}', metadata = '{}',
      transcript = '[]', summary = '', analysis = null, usage = usage - 'tools' - 'handoffReason', error = null, transfer = null,
      file_key = null, recording_size = 0, recording_sha256 = null, updated_at = now()`,
    async obstacle(tx, { id }) {
      return (await countRunningWith(tx, id)) > 0 ? inProgress : undefined
    },
    merge: 'move',
    // The node that holds the call knows its contact by the id.
    async mergeObstacle(tx, { from }) {
      return (await countRunningWith(tx, from)) > 0 ? inProgress : undefined
    },
  },
  {
    table: 'call_segments',
    rows: (person) => sql`call_id = any(array(select id from calls where ${ownCalls(person)}))`,
    export: { exempt: 'they become the transcript when the call ends' },
    erase: 'delete',
    kept: 'as long as the call runs',
  },
  {
    table: 'call_messages',
    rows: (person) => sql`call_id = any(array(select id from calls where ${ownCalls(person)}))`,
    export: { exempt: 'ids of messages' },
    erase: 'delete',
    kept: 'as long as the call log',
  },
]
