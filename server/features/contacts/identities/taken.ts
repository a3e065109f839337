import { TryAgain } from '../../../platform/database.ts'
import { violates } from '../../../platform/errors.ts'

const unique = ['contacts_phone_is_unique', 'contacts_whatsapp_user_is_unique', 'contact_identities_are_unique']

/** Another transaction took the number or the account meanwhile: the next attempt finds its contact. */
export function tryAgainIfTaken(error: unknown): never {
  throw unique.some((constraint) => violates(error, constraint)) ? new TryAgain(error) : error
}
