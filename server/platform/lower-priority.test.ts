import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

test('a priority is lowered and never raised', () => {
  const module = JSON.stringify(join(import.meta.dirname, 'lower-priority.ts'))
  const script = `import os from 'node:os'; import { lowerPriority } from ${module}; lowerPriority(15); lowerPriority(12); console.log(os.getPriority())`
  assert.equal(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }), '15\n')
})
