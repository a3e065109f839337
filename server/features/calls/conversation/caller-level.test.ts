import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frameMs } from '../../../providers/speech/contract.ts'
import { createCallerLevel } from './caller-level.ts'

const frameOf = (share: number) => Buffer.from(new Int16Array(16 * frameMs).fill(share * 10_000).buffer)

/** Whether the frame would start a turn or is part of one; `Over`: while the agent speaks. */
const moments = {
  starts: { inTurn: false, agentSpeaks: false },
  continues: { inTurn: true, agentSpeaks: false },
  startsOver: { inTurn: false, agentSpeaks: true },
  continuesOver: { inTurn: true, agentSpeaks: true },
}
type Moment = keyof typeof moments

/** A call on which the caller has spoken at level 1 and then paused. Levels are shares of that one. */
function afterSpeech(pausedMs: number) {
  const level = createCallerLevel('pcm16-16000')
  const isCaller = (share: number, at: Moment) => level.isCaller(frameOf(share), moments[at])
  const pause = (ms: number) => {
    for (let paused = 0; paused < ms; paused += frameMs) level.pause()
  }
  for (let ms = 0; ms < 1_000; ms += frameMs) assert.ok(isCaller(1, ms === 0 ? 'starts' : 'continues'))
  pause(pausedMs)
  /** Repeats frames of these levels. Returns the milliseconds until one is taken; undefined if none is within the time. */
  const takenAfter = (shares: number[], at: Moment, withinMs = 20_000) => {
    for (let frame = 0; frame * frameMs < withinMs; frame++)
      if (isCaller(shares[frame % shares.length] as number, at)) return frame * frameMs
    return undefined
  }
  return { isCaller, pause, takenAfter }
}

test('the first speech on a call is the caller, however quiet, also over the agent', () => {
  for (const at of Object.values(moments)) assert.ok(createCallerLevel('pcm16-16000').isCaller(frameOf(0.01), at))
})

test('a sound that starts over the agent needs more of the level than one that continues', () => {
  const { isCaller } = afterSpeech(5_000)
  assert.equal(isCaller(0.3, 'startsOver'), false)
  assert.equal(isCaller(0.5, 'startsOver'), true)
  assert.equal(isCaller(0.15, 'continuesOver'), true)
  assert.equal(isCaller(0.05, 'continuesOver'), false)
})

test('a second person who talks on behind the agent does not become the caller', () => {
  const { isCaller, takenAfter } = afterSpeech(5_000)
  assert.equal(takenAfter([0.126, 0.19], 'startsOver'), undefined)
  assert.equal(isCaller(0.39, 'startsOver'), false, 'sounds this quiet do not lower the share')
  assert.equal(takenAfter([0.08, 0.25, 0.12, 0.05], 'startsOver'), undefined, 'loud syllables, 18 dB below on average')
  assert.equal(isCaller(0.29, 'startsOver'), false, 'the share does not fall below 0.3')
  assert.equal(isCaller(0.31, 'startsOver'), true)
})

test('a second person who talks on after the turn neither prolongs it nor gets the next one', () => {
  const { isCaller, pause, takenAfter } = afterSpeech(0)
  assert.equal(isCaller(0.12, 'continues'), false)
  pause(400)
  assert.equal(takenAfter([0.12, 0.25, 0.19], 'starts', 2_000), undefined, 'before the answer')
  assert.equal(takenAfter([0.12, 0.25, 0.19], 'startsOver', 5_000), undefined, 'during it')
  pause(2_000)
  assert.equal(takenAfter([0.12, 0.25, 0.19], 'starts', 1_000), undefined, 'after it')
})

test('a caller who got quieter by 10 to 14 dB interrupts after a few seconds of trying', () => {
  const { isCaller, takenAfter } = afterSpeech(5_000)
  const after = takenAfter([0.21, 0.32, 0.25], 'startsOver')
  assert.ok(after && after > 1_000 && after < 3_000, `${after} ms`)
  for (let ms = 0; ms < 2_000; ms += frameMs) assert.ok(isCaller(0.25, 'continuesOver'))
  assert.equal(isCaller(0.25, 'startsOver'), true, 'the level is that of the quieter voice')
})

test('a caller who got quieter by up to 20 dB is heard at once after an answer, and then keeps the turn', () => {
  const { isCaller, pause } = afterSpeech(3_000)
  for (let ms = 0; ms < 60; ms += frameMs) assert.equal(isCaller(0.11, 'starts'), true)
  for (let ms = 0; ms < 2_000; ms += frameMs) assert.equal(isCaller(0.11, 'continues'), true)
  pause(500)
  assert.equal(isCaller(0.11, 'starts'), true, 'the level is that of the quieter voice')
})

test('a caller who got quieter at the end of the turn is heard within 5 s, or after 3 s of silence', () => {
  const after = afterSpeech(500).takenAfter([0.12], 'starts')
  assert.ok(after && after > 3_000 && after < 5_000, `${after} ms`)
  const { pause, takenAfter, isCaller } = afterSpeech(500)
  assert.equal(takenAfter([0.12], 'starts', 1_000), undefined)
  pause(3_000)
  assert.equal(isCaller(0.12, 'starts'), true)
})

test('a knock that is louder than the caller does not keep the caller from being heard', () => {
  const { isCaller, pause } = afterSpeech(5_000)
  for (let ms = 0; ms < 60; ms += frameMs) assert.equal(isCaller(3, 'starts'), true)
  assert.equal(isCaller(3, 'continues'), true)
  pause(500)
  assert.equal(isCaller(1, 'starts'), true)
})

test('once the caller is heard, a sound over the agent needs as much as at first', () => {
  const { isCaller, takenAfter } = afterSpeech(5_000)
  assert.equal(takenAfter([0.25], 'startsOver'), undefined)
  assert.equal(isCaller(0.32, 'startsOver'), true)
  assert.equal(isCaller(1, 'continuesOver'), true)
  assert.equal(isCaller(0.32, 'startsOver'), false)
})

test('while the agent is silent, a caller who put the phone down is heard again within 5 s', () => {
  const after = afterSpeech(5_000).takenAfter([0.02], 'starts')
  assert.ok(after && after > 3_000 && after < 5_000, `${after} ms`)
})
