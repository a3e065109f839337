import { findMentioningEvents } from '../../../platform/events.ts'
import type { PersonalMentions } from '../../../platform/personal-data.ts'
import { deleteDeliveriesOf } from './sweep-queries.ts'

/** Deletes the log of the events that mention a person, with what endpoints responded. Runs before the events go. */
export const eraseDeliveries: PersonalMentions['erase'] = async (sql, page) => {
  const { ids, last } = await findMentioningEvents(sql, page)
  return { rows: ids.length > 0 ? await deleteDeliveriesOf(sql, ids) : 0, last }
}
