import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeRules } from '../../../providers/chat/graph-api-errors.ts'
import { adviceOn } from './failure-advice.ts'

const ours = [
  ...[
    'missing_variable',
    'opted_out',
    'no_address',
    'merged',
    'worker_lost',
    'fault',
    'timeout',
    'no_answer',
    'bad_answer',
  ],
  ...['unreachable', 'closing', 'bad_id', 'bad_token', 'foreign_host', 'too_large'],
]

test('every known platform code and every code of ours has advice', () => {
  const unheardOf = adviceOn('999999')
  for (const code of [...Object.keys(codeRules), '1', '2', '200', '299', 'http_404', 'http_503', ...ours]) {
    const { meaning, advice } = adviceOn(code)
    assert.notEqual(advice, unheardOf.advice, code)
    assert.match(meaning, /^\p{Lu}.*[^.]$/u, code)
    assert.match(advice, /^\p{Lu}.*\.$/u, code)
  }
  assert.match(unheardOf.advice, /documentation/)
  assert.deepEqual(adviceOn('constructor'), unheardOf)
})
