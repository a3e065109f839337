import Type from 'typebox'
import { type CallAs, ok, type TestApp, type TestOrganization } from './app.ts'

const StoredEvent = Type.Object({ type: Type.String(), data: Type.Unsafe<{ object: object; previous?: object }>({}) })

interface Line {
  type: string
  payload: object
  actor_type: string
  actor_id: string | null
}

/** Helpers for tests of tasks, for one organization in test mode by default. */
export function tasksOf(app: TestApp, { id, call: own }: TestOrganization) {
  let numbers = 0
  const newContact = async (call: CallAs = own, name = 'Ada') => {
    const phone_number = `+1415555${String(++numbers).padStart(4, '0')}`
    return (await call('POST', 'contacts', { phone_number, name })).body
  }
  return {
    newContact,
    async newTask(members: object = {}) {
      const contact_id = (await newContact()).id
      return ok(await own('POST', 'crm/tasks', { contact_id, title: 'Call back', ...members }), 201)
    },
    async activitiesOf(contactId: string, type: string): Promise<Line[]> {
      const { body } = await own('GET', `contacts/${contactId}/activities?limit=100&type=${type}`)
      return body.activities
    },
    eventsOf: (taskId: string) =>
      app.database.forTenant({ organizationId: id, livemode: false }).all(StoredEvent)`
        select type, data from events where data -> 'object' ->> 'id' = ${taskId} order by id`,
    total: async (filter = ''): Promise<number> => (await own('GET', `crm/tasks?limit=1&${filter}`)).body.total_count,
  }
}
