import type { TestApp, TestOrganization } from './app.ts'
import { person, type TestPerson } from './people.ts'

/** A person who operates the installation, and is a member of an organization of their own. */
export async function operatorOf(app: TestApp): Promise<TestPerson & { home: TestOrganization }> {
  const home = await app.organization({ name: 'Operations' })
  const operator = await person(app, home.id, 'member', { name: 'Olga Operator' })
  await app.database.forSystem().run`insert into operators (user_id) values (${operator.id})`
  return { ...operator, home }
}
