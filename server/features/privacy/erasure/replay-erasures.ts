import Type, { type Static } from 'typebox'
import { faultIn } from '../../../platform/check-schema.ts'
import type { Database } from '../../../platform/database.ts'
import { Id, Instant, Nullable } from '../../../platform/schemas.ts'
import { type Erasing, erasePerson, Obstacle } from './erase-person.ts'
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

/**
 * Erases again what a restored backup has brought back, and counts the erasures that the backup did not have. One that
 * cannot be done yet, because a call was in progress when the backup was made, waits: the service does it later.
 */
export async function replayErasures(
  deps: Erasing,
  erasures: ListedErasure[],
): Promise<{ replayed: number; waiting: number }> {
  const adopted: ListedErasure[] = []
  // None for an organization that is not in the backup, and for an erasure that is.
  for (const erasure of erasures)
    if ((await adoptErasure(deps.database.forSystem(), erasure)) > 0) adopted.push(erasure)
  const counts = { replayed: 0, waiting: 0 }
  for (const { id, organization_id: organizationId, livemode } of adopted)
    try {
      await erasePerson(deps, { organizationId, livemode }, id, AbortSignal.timeout(3_600_000))
      counts.replayed++
    } catch (error) {
      if (!(error instanceof Obstacle)) throw error
      counts.waiting++
    }
  return counts
}
