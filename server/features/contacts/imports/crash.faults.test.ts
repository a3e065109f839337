import { test } from 'node:test'
import { startTestApp } from '../../../testing/app.ts'
import { connectOwner } from '../../../testing/connect-owner.ts'
import { assertImportedOnce, killAt, uploadTo } from '../../../testing/large-import.ts'
import { temporaryFolder } from '../../../testing/process.ts'

test('workers that are killed repeatedly import every row exactly once', async () => {
  const app = await startTestApp({ settings: { ROLE: 'api' } })
  const owner = await connectOwner(app)
  const org = await app.organization()
  const id = await uploadTo(org)
  await killAt(app, { owner, folder: await temporaryFolder(), org, id, rows: [2_500, 5_500, 8_500] })
  const last = await app.node({ ROLE: 'worker' })
  await assertImportedOnce(owner, org, id)
  await last.close()
})
