import { type CallAs, ok, type Reply } from './app.ts'
import { newCustomer } from './conversations.ts'

export const newContact = async (as: CallAs, members: object = {}): Promise<Reply['body']> =>
  ok(await as('POST', 'contacts', { phone_number: newCustomer(), name: 'Ada', ...members }), 201)

/** A ticket of a new contact. */
export async function newTicket(as: CallAs, contact: object = {}): Promise<Reply['body']> {
  const { id } = await newContact(as, contact)
  return ok(await as('POST', 'inbox/tickets', { contact_id: id }), 201)
}
