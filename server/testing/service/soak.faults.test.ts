import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'

const program = join(import.meta.dirname, '../../../bench/soak-campaign.ts')

test('a campaign to 20,000 reaches each recipient once while its workers are killed', async () => {
  const soak = spawn(process.execPath, ['--conditions=frontdesk-source', program, '20000'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(soak, 'exit')
  assert.equal(code, 0)
})
