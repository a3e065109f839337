import type { Database } from '../../../platform/database.ts'
import { AppError, invalid } from '../../../platform/errors.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { newId } from '../../../platform/ids.ts'
import type { OutboundHttp } from '../../../platform/outbound-fetch.ts'
import { arePushKeys } from '../../../platform/web-push.ts'
import type { NewPushSubscription } from '../schema.ts'
import { dropExcess, saveSubscription } from './queries.ts'

const mostOfPerson = 20

/** Sends notifications of this person to a browser, for as long as the session lasts. */
export async function subscribeToPush(
  { database, http }: { database: Database; http: Pick<OutboundHttp, 'isForbiddenAddress'> },
  person: NonNullable<Principal['person']>,
  { endpoint, keys }: NewPushSubscription,
) {
  const { userId, sessionId } = person
  if (sessionId === null) throw new AppError(403, 'Push notifications need a session of this service: sign in here')
  const url = URL.parse(endpoint)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw invalid(['body', 'endpoint'], 'The endpoint must begin with https://', 'url_parsing')
  if (http.isForbiddenAddress(url))
    throw invalid(['body', 'endpoint'], 'The endpoint must not be in this service’s own network', 'url_parsing')
  const bytes = { p256dh: Buffer.from(keys.p256dh, 'base64url'), auth: Buffer.from(keys.auth, 'base64url') }
  if (!arePushKeys(bytes)) throw invalid(['body', 'keys'], 'Not the keys of a push subscription')
  return database.inSystem(async (tx) => {
    const saved = await saveSubscription(tx, { id: newId(), userId, sessionId, endpoint: url.href, ...bytes })
    await dropExcess(tx, userId, mostOfPerson)
    return saved
  })
}
