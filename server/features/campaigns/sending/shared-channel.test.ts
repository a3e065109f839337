import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPacedQueue } from '../../../platform/dispatch/paced-queue.ts'
import { fakeClock } from '../../../testing/fake-clock.ts'
import { mostInASecond } from '../../../testing/rates.ts'
import type { ChatConnection } from '../../channels/connections/chat-connections.ts'
import {
  type ClaimedDelivery,
  hasMissedTimes,
  missedDeliveries,
  newSendQueue,
  replaceTimes,
  type SendQueue,
} from './send-queues.ts'

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

/** Two workers on one channel. Their times alternate by the second, as the database would reserve them. */
function twoWorkers(rate: number) {
  const time = fakeClock()
  const sent: number[] = []
  const reserved: { queue: SendQueue; times: number }[] = []
  let freeAt = 10_000
  const start = (firstSecond: number) => {
    const scope = { organizationId: 'organization', livemode: true }
    const queue = newSendQueue('channel', scope, { channelId: 'channel' } as ChatConnection)
    const paced = createPacedQueue<ClaimedDelivery>(time.clock, {
      send(_, onWritten) {
        sent.push(time.clock.now())
        onWritten()
      },
      maySend() {
        if (queue.isReserving) return false
        const isMissed = hasMissedTimes(queue, time.clock.now())
        if (isMissed) reserve(queue)
        return !isMissed
      },
    })
    queue.paced = paced
    queue.isShared = true
    paced.setRate(rate)
    for (let second = firstSecond; second < 10; second += 2)
      for (let i = 0; i < rate; i++) paced.push(delivery(i, second * 1000 + (i * 1000) / rate))
    return queue
  }
  function reserve(queue: SendQueue): void {
    const now = time.clock.now()
    const begin = Math.max(freeAt, now)
    const missed = missedDeliveries(queue, now)
    reserved.push({ queue, times: missed.length })
    freeAt = begin + (missed.length * 1000) / rate
    replaceTimes(queue, missed, (position) => begin + (position * 1000) / rate)
    queue.paced?.run()
  }
  return { ...time, sent, reserved, workers: [start(0), start(1)] }
}

test('a worker that missed its sending times on a shared channel reserves new ones, and both workers together keep the rate', () => {
  const rate = 100
  const { pass, workers, reserved, sent } = twoWorkers(rate)
  const [first] = workers as [SendQueue]
  pass(2_300)
  // Only the first worker stalls; the second one keeps sending.
  first.isReserving = true
  pass(1_200)
  first.isReserving = false
  first.paced?.run()
  pass(20_000)
  assert.deepEqual(new Set(reserved.map(({ queue }) => queue)), new Set([first]))
  // Its second began at 2.0 s, and it stalled from 2.3 to 3.5 s: the times from 4.0 s on are still its own.
  const replaced = reserved.reduce((sum, { times }) => sum + times, 0)
  assert.ok(replaced >= rate * 0.65 && replaced <= rate * 0.75, String(replaced))
  assert.equal(sent.length, rate * 10)
  assert.ok(mostInASecond(sent) <= rate * 1.05, String(mostInASecond(sent)))
})
