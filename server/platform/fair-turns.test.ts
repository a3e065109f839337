import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeClock } from '../testing/fake-clock.ts'
import { createFairTurns } from './fair-turns.ts'

type Turns = ReturnType<typeof createFairTurns>
type Turn = Awaited<ReturnType<Turns['take']>>

/** Asks for `n` turns and returns those that were given so far. */
function takeMany(turns: Turns, holder: string, n: number): Turn[] {
  const given: Turn[] = []
  for (let i = 0; i < n; i++)
    void turns.take(holder).then(
      (turn) => given.push(turn),
      () => {},
    )
  return given
}
/** Promises that are resolved by now have called their handlers. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

test('a holder that is alone leaves a quarter of the turns to the next one', async () => {
  const turns = createFairTurns({ max: 8, timeoutMs: 60_000 }, fakeClock().clock)
  const noisy = takeMany(turns, 'noisy', 20)
  const quiet = takeMany(turns, 'quiet', 2)
  await settled()
  assert.deepEqual([noisy.length, quiet.length, turns.waiting], [6, 2, 14])
})

/** Makes the holder busy while another one is active. */
async function makeBusy(turns: Turns, holder: string, pass: (ms: number) => void): Promise<void> {
  turns.release(await turns.take('quiet'))
  const turn = await turns.take(holder)
  pass(300)
  turns.release(turn)
}

test('a busy holder has few turns at once while others are active, and more once they are gone', async () => {
  const { clock, pass } = fakeClock()
  const turns = createFairTurns({ max: 8, perBusyHolder: 1, timeoutMs: 60_000 }, clock)
  await makeBusy(turns, 'noisy', pass)
  const noisy = takeMany(turns, 'noisy', 20)
  await settled()
  assert.equal(noisy.length, 1)
  turns.release(noisy.shift() as Turn)
  await settled()
  assert.equal(noisy.length, 1, 'one at a time')
  // No other holder has come for two seconds.
  pass(2_300)
  await settled()
  assert.equal(noisy.length, 6)
})

test('a holder that is not busy has its share of the turns at once', async () => {
  const turns = createFairTurns({ max: 8, perBusyHolder: 1, timeoutMs: 60_000 }, fakeClock().clock)
  turns.release(await turns.take('quiet'))
  const other = takeMany(turns, 'other', 20)
  await settled()
  assert.equal(other.length, 4)
})

test('live work does not wait for the other work of a busy holder', async () => {
  const { clock, pass } = fakeClock()
  const turns = createFairTurns({ max: 8, perBusyHolder: 1, timeoutMs: 60_000 }, clock)
  await makeBusy(turns, 'noisy', pass)
  const piled = takeMany(turns, 'noisy', 5)
  const calls = [turns.take('noisy', 'live'), turns.take('noisy', 'live')]
  assert.deepEqual(
    (await Promise.all(calls)).map(({ kind }) => kind),
    ['live', 'live'],
  )
  assert.equal(piled.length, 1)
  for (const call of calls) turns.release(await call)
  await settled()
  assert.equal(piled.length, 1)
})

test('a turn that lasts long makes room for the next one of its holder, up to a quarter of all', async () => {
  const { clock, pass } = fakeClock()
  const turns = createFairTurns({ max: 12, perBusyHolder: 1, timeoutMs: 60_000 }, clock)
  const comeAndGo = async () => {
    for (const holder of ['one', 'two', 'three']) turns.release(await turns.take(holder))
  }
  await comeAndGo()
  await makeBusy(turns, 'noisy', pass)
  const noisy = takeMany(turns, 'noisy', 20)
  await settled()
  const counts = [noisy.length]
  for (let second = 0; second < 4; second++) {
    for (let n = 0; n < 11; n++) {
      await comeAndGo()
      pass(100)
    }
    await settled()
    counts.push(noisy.length)
  }
  assert.deepEqual(counts, [1, 2, 3, 3, 3])
})

test('who waits for too long is told so, and the turn goes to another', async () => {
  const { clock, pass } = fakeClock()
  const turns = createFairTurns({ max: 1, timeoutMs: 500 }, clock)
  const held = await turns.take('first')
  const late = turns.take('second')
  pass(500)
  await assert.rejects(late, /timeout/)
  const third = turns.take('third')
  turns.release(held)
  assert.equal((await third).holder, 'third')
})
