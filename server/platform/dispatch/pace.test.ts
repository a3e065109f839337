import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatLine } from '../../channels/chat-lines.ts'
import type { Clock } from './clock.ts'
import { createPacedQueue } from './paced-queue.ts'
import { type ClaimedDelivery, createSendQueues, type SendQueue } from './send-queues.ts'

/** The pace of one channel in one worker, by a clock of the test's own: the event loop stalls where the test says so. */

interface Timer {
  at: number
  run: () => void
}

/** Timers fire when time gets there, late by as much as the test wants, and after a stall all of those that became due. */
function fakeClock() {
  let now = 0
  let timers: Timer[] = []
  const clock: Clock = {
    now: () => now,
    after(ms, run) {
      // As Node's timers: whole milliseconds, at least one.
      const timer = { at: now + Math.max(1, Math.ceil(ms)), run }
      timers.push(timer)
      return () => {
        timers = timers.filter((each) => each !== timer)
      }
    },
  }
  const fireDue = () => {
    const due = timers.filter(({ at }) => at <= now).sort((one, other) => one.at - other.at)
    timers = timers.filter((each) => !due.includes(each))
    for (const { run } of due) run()
  }
  return {
    clock,
    /** The loop turns every millisecond. */
    pass(ms: number) {
      for (const end = now + ms; now < end; ) {
        now++
        fireDue()
      }
    },
    /** Nothing runs for so long; then everything that became due does. */
    stall(ms: number) {
      now += ms
      fireDue()
    },
  }
}

function startQueue(rate: number, count: number) {
  const time = fakeClock()
  const sent: number[] = []
  let isOpen = true
  const queue = createPacedQueue<{ dueAt: number }>(time.clock, {
    send: () => void sent.push(time.clock.now()),
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

/** The most that went out in any one second. */
function mostInASecond(sent: number[]): number {
  let most = 0
  for (let from = 0, to = 0; to < sent.length; to++) {
    while ((sent[to] as number) - (sent[from] as number) >= 1000) from++
    most = Math.max(most, to - from + 1)
  }
  return most
}

const rates = [1, 7, 10, 20, 80, 150, 1000]

test('without a stall the rate is kept: not a message more, and hardly one less', () => {
  for (const rate of rates) {
    const { pass, sent } = startQueue(rate, rate * 10)
    pass(10_000)
    assert.ok(mostInASecond(sent) <= Math.floor(rate * 1.05), `${mostInASecond(sent)} at ${rate}`)
    assert.ok(sent.length >= Math.floor(rate * 9.9) - 1, `${sent.length} in ten seconds at ${rate}`)
  }
})

test('after a stall never more than 1.05 times the rate goes out in any second, and what was missed is spread', () => {
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

test('an event loop that stalls again and again keeps to the rate and makes up for what it can', () => {
  const rate = 150
  const { stall, sent } = startQueue(rate, rate * 30)
  // 40 ms of work at a time, as on a loaded machine.
  for (let i = 0; i < 500; i++) stall(40)
  assert.ok(mostInASecond(sent) <= rate * 1.05, String(mostInASecond(sent)))
  assert.ok(sent.length >= rate * 20 * 0.98, String(sent.length))
})

test('what was missed in a stall of a second is made up for within half a minute', () => {
  const rate = 150
  const { pass, stall, sent } = startQueue(rate, rate * 40)
  pass(2_000)
  stall(1_000)
  pass(30_000)
  assert.ok(sent.length >= rate * 33 - 2, `${sent.length} of ${rate * 33}`)
})

test('a queue that had to wait for a place on the wire goes on at its pace', () => {
  const rate = 150
  const { pass, open, sent } = startQueue(rate, rate * 20)
  pass(1_000)
  open(false)
  pass(2_000)
  open(true)
  pass(10_000)
  assert.ok(mostInASecond(sent) <= rate * 1.05, String(mostInASecond(sent)))
})

test('a rate that changes holds from the next message on', () => {
  const { pass, stall, queue, sent } = startQueue(100, 1_000)
  pass(2_000)
  queue.setRate(20)
  stall(500)
  const before = sent.length
  pass(4_000)
  assert.ok(mostInASecond(sent.slice(before)) <= 21)
})

const delivery = (i: number, dueAt: number): ClaimedDelivery => ({
  id: String(i),
  workerId: 'worker',
  campaignId: 'campaign',
  contactId: 'contact',
  phone_number: '+15550100002',
  whatsapp_user_id: null,
  variables: {},
  attempts: 0,
  dueAt,
})

/** Two workers on one channel: their turns alternate by the second, as the database gives them out. */
function twoWorkers(rate: number) {
  const time = fakeClock()
  const sent: number[] = []
  const rebooked: SendQueue[] = []
  let freeAt = 10_000
  const start = (firstSecond: number) => {
    const queues = createSendQueues(time.clock, 2_048, {
      send(queue) {
        sent.push(time.clock.now())
        queues.answered(queue, 'accepted', 1)
      },
      rebook(queue) {
        rebooked.push(queue)
        const begin = Math.max(freeAt, time.clock.now())
        freeAt = begin + (queue.leaving.length * 1000) / rate
        queue.leaving.reschedule((place) => begin + (place * 1000) / rate)
        queue.leaving.run()
      },
    })
    const scope = { organizationId: 'organization', livemode: true }
    const queue = queues.open('channel', scope, { channelId: 'channel' } as ChatLine)
    queue.isShared = true
    queue.leaving.setRate(rate)
    for (let second = firstSecond; second < 10; second += 2)
      for (let i = 0; i < rate; i++) queue.leaving.push(delivery(i, second * 1000 + (i * 1000) / rate))
    return queue
  }
  return { ...time, sent, rebooked, workers: [start(0), start(1)] }
}

test('a worker that missed its turns on a shared channel books others, and both together keep to the rate', () => {
  const rate = 100
  const { pass, workers, rebooked, sent } = twoWorkers(rate)
  const [first] = workers as [SendQueue]
  pass(2_300)
  // Only the first worker stalls; the second one goes on.
  first.isRebooking = true
  pass(1_200)
  first.isRebooking = false
  first.leaving.run()
  pass(20_000)
  assert.deepEqual(new Set(rebooked), new Set([first]))
  assert.equal(sent.length, rate * 10)
  assert.ok(mostInASecond(sent) <= rate * 1.05, String(mostInASecond(sent)))
})
