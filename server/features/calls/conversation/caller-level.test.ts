import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frameMs } from '../../../providers/speech/contract.ts'
import { createCallerLevel } from './caller-level.ts'

const frameOf = (share: number) => Buffer.from(new Int16Array(16 * frameMs).fill(share * 10_000).buffer)

/** A call on which the caller has spoken at level 1. Levels are shares of that one. */
function afterSpeech() {
  const level = createCallerLevel('pcm16-16000')
  const isCaller = (share: number, over?: 'starts' | 'continues') => level.isCaller(frameOf(share), over)
  for (let ms = 0; ms < 1_000; ms += frameMs) assert.ok(isCaller(1))
  /** Repeats frames of these levels. Returns the milliseconds until one is taken; undefined if none is within 20 s. */
  const takenAfter = (shares: number[], over?: 'starts') => {
    for (let frame = 0; frame * frameMs < 20_000; frame++)
      if (isCaller(shares[frame % shares.length] as number, over)) return frame * frameMs
    return undefined
  }
  return { isCaller, takenAfter }
}

test('the first speech on a call is the caller, however quiet, also over the agent', () => {
  for (const over of [undefined, 'starts', 'continues'] as const)
    assert.ok(createCallerLevel('pcm16-16000').isCaller(frameOf(0.01), over))
})

test('a sound that starts over the agent needs more of the level than one that continues', () => {
  const { isCaller } = afterSpeech()
  assert.equal(isCaller(0.3, 'starts'), false)
  assert.equal(isCaller(0.5, 'starts'), true)
  assert.equal(isCaller(0.15, 'continues'), true)
  assert.equal(isCaller(0.05, 'continues'), false)
  assert.equal(isCaller(0.15), true, 'the agent is silent')
  assert.equal(isCaller(0.05), false)
})

test('a second person who talks on behind the agent does not become the caller', () => {
  const { isCaller, takenAfter } = afterSpeech()
  assert.equal(takenAfter([0.126, 0.19], 'starts'), undefined)
  assert.equal(isCaller(0.39, 'starts'), false, 'sounds this quiet do not lower the share')
  assert.equal(takenAfter([0.08, 0.25, 0.12, 0.05], 'starts'), undefined, 'loud syllables, 18 dB below on average')
  assert.equal(isCaller(0.29, 'starts'), false, 'the share does not fall below 0.3')
  assert.equal(isCaller(0.31, 'starts'), true)
})

test('a caller who got quieter by 10 to 14 dB interrupts after a few seconds of trying', () => {
  const { isCaller, takenAfter } = afterSpeech()
  const after = takenAfter([0.21, 0.32, 0.25], 'starts')
  assert.ok(after && after > 1_000 && after < 3_000, `${after} ms`)
  for (let ms = 0; ms < 2_000; ms += frameMs) assert.ok(isCaller(0.25, 'continues'))
  assert.equal(isCaller(0.25, 'starts'), true, 'the level is that of the quieter voice')
})

test('once the caller is heard, a sound over the agent needs as much as at first', () => {
  const { isCaller, takenAfter } = afterSpeech()
  assert.equal(takenAfter([0.25], 'starts'), undefined)
  assert.equal(isCaller(0.32, 'starts'), true)
  assert.equal(isCaller(1), true)
  assert.equal(isCaller(0.32, 'starts'), false)
})

test('while the agent is silent, a caller who put the phone down is heard again within 5 s', () => {
  const after = afterSpeech().takenAfter([0.02])
  assert.ok(after && after > 3_000 && after < 5_000, `${after} ms`)
})
