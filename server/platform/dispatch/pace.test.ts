import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeClock } from '../../testing/fake-clock.ts'
import { mostInASecond } from '../../testing/rates.ts'
import { createPacedQueue } from './paced-queue.ts'

/** The pace of one queue, on a clock that stalls when the test says so. */

/** `connectMs` is how long a request waits for its connection, by the time at which it was started. */
function startQueue(rate: number, count: number, connectMs = (_startedAt: number) => 0) {
  const time = fakeClock()
  const sent: number[] = []
  let isOpen = true
  const queue = createPacedQueue<{ dueAt: number }>(time.clock, {
    send(_, onWritten) {
      const write = () => {
        sent.push(time.clock.now())
        onWritten()
      }
      const waitMs = connectMs(time.clock.now())
      if (waitMs > 0) time.clock.after(waitMs, write)
      else write()
    },
    maySend: () => isOpen,
  })
  queue.setRate(rate)
  for (let i = 0; i < count; i++) queue.push({ dueAt: (i * 1000) / rate })
  return {
    ...time,
    sent,
    queue,
    open(now: boolean) {
      isOpen = now
      queue.run()
    },
  }
}

const rates = [1, 7, 10, 20, 80, 150, 1000]

test('without a stall the rate is kept: never above it, and hardly below', () => {
  for (const rate of rates) {
    const { pass, sent } = startQueue(rate, rate * 10)
    pass(10_000)
    assert.ok(mostInASecond(sent) <= Math.floor(rate * 1.05), `${mostInASecond(sent)} at ${rate}`)
    assert.ok(sent.length >= Math.floor(rate * 9.9) - 1, `${sent.length} in ten seconds at ${rate}`)
  }
})

test('after a stall at most 1.05 times the rate goes out in any second, and the backlog is spread', () => {
  for (const rate of rates)
    for (const stallMs of [60, 300, 1_000, 5_000]) {
      const { pass, stall, sent } = startQueue(rate, rate * 8)
      pass(3_000)
      stall(stallMs)
      const atOnce = sent.filter((at) => at === 3_000 + stallMs).length
      assert.ok(atOnce <= Math.ceil(rate * 0.06), `${atOnce} at once after ${stallMs} ms at ${rate}`)
      pass(3_000)
      stall(stallMs)
      pass(4_000)
      assert.ok(
        mostInASecond(sent) <= Math.max(1, rate * 1.05),
        `${mostInASecond(sent)} at ${rate} after ${stallMs} ms`,
      )
    }
})

test('an event loop that stalls repeatedly keeps to the rate and catches up as far as it can', () => {
  const rate = 150
  const { stall, sent } = startQueue(rate, rate * 30)
  // 40 ms of work at a time, as on a loaded machine.
  for (let i = 0; i < 500; i++) stall(40)
  assert.ok(mostInASecond(sent) <= rate * 1.05, String(mostInASecond(sent)))
  assert.ok(sent.length >= rate * 20 * 0.98, String(sent.length))
})

test('the backlog of a one-second stall is sent within 30 seconds', () => {
  const rate = 150
  const { pass, stall, sent } = startQueue(rate, rate * 40)
  pass(2_000)
  stall(1_000)
  pass(30_000)
  assert.ok(sent.length >= rate * 33 - 2, `${sent.length} of ${rate * 33}`)
})

test('a queue that waited for a free connection continues at its pace', () => {
  const rate = 150
  const { pass, open, sent } = startQueue(rate, rate * 20)
  pass(1_000)
  open(false)
  pass(2_000)
  open(true)
  pass(10_000)
  assert.ok(mostInASecond(sent) <= rate * 1.05, String(mostInASecond(sent)))
})

test('requests that wait for a connection are counted when they are written', () => {
  for (const rate of rates) {
    // New connections take 300 ms. After 400 ms the first ones are free again and take requests at once.
    const { pass, sent } = startQueue(rate, rate * 10, (at) => (at < 400 ? 300 : 0))
    pass(6_000)
    assert.ok(mostInASecond(sent) <= Math.max(1, rate * 1.05), `${mostInASecond(sent)} at ${rate}`)
    assert.ok(sent.length >= Math.floor(rate * 5.5) - 1, `${sent.length} in six seconds at ${rate}`)
  }
})

test('requests whose connections never come stop the queue at one second of messages', () => {
  const { pass, queue } = startQueue(150, 1_000, () => 60_000)
  pass(30_000)
  assert.equal(queue.items.length, 1_000 - 157)
})

test('a changed rate applies from the next message on', () => {
  const { pass, stall, queue, sent } = startQueue(100, 1_000)
  pass(2_000)
  queue.setRate(20)
  stall(500)
  const before = sent.length
  pass(4_000)
  assert.ok(mostInASecond(sent.slice(before)) <= 21)
})
