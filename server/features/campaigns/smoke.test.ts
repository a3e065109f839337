import { test } from 'node:test'
import { startTestApp } from '../../testing/app.ts'
import { campaigner, countRows, countsOf, ledgerOf } from '../../testing/campaigns.ts'
const app = await startTestApp()
await app.listen()
test('smoke', async () => {
  const org = await campaigner(app)
  const ids = await org.contacts(20)
  const c = await org.send(ids)
  console.log(c)
  const done = await org.until(c.id, (k) => k.read_count === 20 && k.status !== 'sending')
  console.log(countsOf(done), done.status, done.pause_reason, done.pause_detail, await countRows(app, org.scope, c.id))
  console.log((await org.deliveries(c.id))[0])
  const l = await ledgerOf(app, org.channelId)
  console.log(l.accepted, l.distinct, l.repeated)
})
