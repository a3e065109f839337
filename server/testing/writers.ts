import assert from 'node:assert/strict'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from './process.ts'

interface Writers {
  /** The numbers of contacts that were answered with 201. */
  acknowledged: Set<string>
  /** How many requests got each answer; `failed` is none at all. */
  answers: Record<string, number>
  /** The longest time between two acknowledged writes, in seconds. */
  longestGap(): number
  /** Waits for this many more acknowledged writes. */
  more(count: number): Promise<void>
  stop(): Promise<void>
}

const pauseAfterFailureMs = 50

/** Clients that create contacts without a break, each waiting for its answer, until they are stopped or the test ends. */
export function startWriters(url: string, key: string, clients = 8): Writers {
  const acknowledged = new Set<string>()
  const answers: Record<string, number> = {}
  let [n, gapMs, lastAt, isStopped] = [0, 0, performance.now(), false]
  const write = async () => {
    while (!isStopped) {
      const phone_number = `+1415${2_000_000 + ++n}`
      const answer = await fetch(`${url}/api/v1/contacts`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ phone_number }),
      }).catch(() => undefined)
      const status = answer?.status ?? 'failed'
      answers[status] = (answers[status] ?? 0) + 1
      if (status === 201) {
        acknowledged.add(phone_number)
        gapMs = Math.max(gapMs, performance.now() - lastAt)
        lastAt = performance.now()
      } else await sleep(pauseAfterFailureMs)
      await answer?.arrayBuffer().catch(() => {})
    }
  }
  const all = Promise.all(Array.from({ length: clients }, write))
  const stop = async () => {
    isStopped = true
    await all
  }
  after(stop)
  return {
    acknowledged,
    answers,
    longestGap: () => gapMs / 1000,
    async more(count) {
      const goal = acknowledged.size + count
      await until(async () => acknowledged.size >= goal)
    },
    stop,
  }
}

/** The numbers of all contacts, page by page; their count must equal the total that the list reports. */
export async function storedNumbers(url: string, key: string): Promise<Set<string>> {
  const stored = new Set<string>()
  for (let cursor = ''; ; ) {
    const answer = await fetch(`${url}/api/v1/contacts?limit=100${cursor}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    assert.equal(answer.status, 200)
    const page = (await answer.json()) as {
      data: { phone_number: string }[]
      has_more: boolean
      next_cursor: string
      total_count: number
    }
    for (const { phone_number } of page.data) {
      assert.ok(!stored.has(phone_number), `${phone_number} is stored twice`)
      stored.add(phone_number)
    }
    if (!page.has_more) {
      assert.equal(page.total_count, stored.size)
      return stored
    }
    cursor = `&starting_after=${page.next_cursor}`
  }
}
