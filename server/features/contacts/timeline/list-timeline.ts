import type { TenantSql } from '../../../platform/database.ts'
import { InvalidInput } from '../../../platform/errors.ts'
import { missingContact } from '../merging/existing-contact.ts'
import { listActivities } from './queries.ts'
import { activityTypes } from './schema.ts'

interface TimelineFilter {
  limit: number
  offset: number
  type?: string[]
  activity_types?: string[]
}

export async function listTimeline(tx: TenantSql, contactId: string, filter: TimelineFilter) {
  const { limit, offset } = filter
  const types = wantedTypes(filter)
  const rows = await listActivities(tx, contactId, { types, limit, offset })
  const [first] = rows
  if (!first) return missingContact(tx, contactId)
  const { activity_counts: counts } = first
  const total = (types ?? Object.keys(counts)).reduce((sum, type) => sum + (counts[type] ?? 0), 0)
  const activities = rows.filter(({ id }) => id !== null)
  return { activities, total, limit, offset, has_more: offset + activities.length < total }
}

/** `type=a&type=b` and `type=a,b` mean the same; so does the older parameter name. */
function wantedTypes({ type, activity_types }: TimelineFilter): string[] | undefined {
  const name = type ? 'type' : 'activity_types'
  const given = (type ?? activity_types)
    ?.flatMap((each) => each.split(','))
    .map((each) => each.trim())
    .filter(Boolean)
  if (!given || given.length === 0) return undefined
  const unknown = given.filter((each) => !(activityTypes as readonly string[]).includes(each))
  if (unknown.length > 0)
    throw new InvalidInput(
      unknown.map((each) => ({
        loc: ['query', name],
        msg: `${each} is not an activity type: use ${activityTypes.join(', ')}`,
        type: 'enum',
      })),
    )
  return [...new Set(given)]
}
