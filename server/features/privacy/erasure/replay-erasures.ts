import Type, { type Static } from 'typebox'
import { faultIn } from '../../../platform/check-schema.ts'
import type { Database } from '../../../platform/database.ts'
import { Id, Instant, Nullable } from '../../../platform/schemas.ts'
import { type Erasing, erasePerson } from './erase-person.ts'
import { adoptErasure, listAllErasures } from './queries.ts'

/** One line of the list that `frontdesk erasures` writes and `frontdesk restore` replays. */
const ListedErasure = Type.Object({
  organization_id: Id,
  livemode: Type.Boolean(),
  id: Id,
  contact_id: Id,
  erased_at: Nullable(Instant),
  digests: Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' })),
})
export type ListedErasure = Static<typeof ListedErasure>

/** Every erasure of the installation, one JSON object per line. */
export async function writeErasures(database: Database): Promise<string> {
  const erasures = await listAllErasures(database.forSystem())
  return erasures.map((erasure) => `${JSON.stringify(erasure)}\n`).join('')
}

export function readErasures(text: string): ListedErasure[] {
  return text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return []
    const erasure = parse(line)
    const fault = faultIn(ListedErasure, erasure)
    if (fault) throw new Error(`line ${i + 1} of the list of erasures was not written by frontdesk erasures: ${fault}`)
    return [erasure as ListedErasure]
  })
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Erases again what a restored backup has brought back. Returns how many erasures the backup did not have. */
export async function replayErasures(deps: Erasing, erasures: ListedErasure[]): Promise<number> {
  let replayed = 0
  for (const erasure of erasures) {
    // None for an organization that is not in the backup, and for an erasure that is.
    if ((await adoptErasure(deps.database.forSystem(), erasure)) === 0) continue
    const scope = { organizationId: erasure.organization_id, livemode: erasure.livemode }
    await erasePerson(deps, scope, erasure.id, AbortSignal.timeout(3_600_000))
    replayed++
  }
  return replayed
}
