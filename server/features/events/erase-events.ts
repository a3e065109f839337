import { findMentioningEvents } from '../../platform/events.ts'
import type { PersonalMentions } from '../../platform/personal-data.ts'
import { deleteEvents } from './queries.ts'

export const eraseEvents: PersonalMentions['erase'] = async (sql, page) => {
  const { ids, last } = await findMentioningEvents(sql, page)
  return { rows: ids.length > 0 ? await deleteEvents(sql, ids) : 0, last }
}
