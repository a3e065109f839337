import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'

interface Shown {
  title: string
  body: string
  tag: string
  renotify: boolean
  data: { id: string; url: string }
}

/** Runs the service worker as a browser does, whose headless shell shows no notifications: the newest of a tag replaces the earlier one. */
function startWorker() {
  const listeners = new Map<string, (event: object) => void>()
  let visible: Shown[] = []
  const shown: Shown[] = []
  const registration = {
    getNotifications: async ({ tag }: { tag: string }) => visible.filter((each) => each.tag === tag),
    async showNotification(title: string, options: Omit<Shown, 'title'>) {
      const notification = { title, ...options }
      visible = [...visible.filter(({ tag }) => tag !== options.tag), notification]
      shown.push(notification)
    },
  }
  const self = { addEventListener: (type: string, listen: () => void) => listeners.set(type, listen), registration }
  const file = new URL('../../../public/service-worker.js', import.meta.url)
  runInNewContext(readFileSync(file, 'utf8'), { self })
  return async (message: object) => {
    const work: Promise<void>[] = []
    listeners.get('push')?.({ data: { json: () => message }, waitUntil: (done: Promise<void>) => work.push(done) })
    await Promise.all(work)
    return shown.at(-1) as Shown
  }
}

test('a push alerts once, and again when the conversation has something new', async () => {
  const push = startWorker()
  const message = {
    id: '1',
    title: 'Message from Ada',
    body: 'Hello?',
    organization: 'Acme',
    tag: 'ticket 1',
    url: '/',
  }
  const first = await push(message)
  assert.deepEqual([first.title, first.body, first.renotify], ['Message from Ada', 'Hello?\nAcme', false])
  assert.equal((await push(message)).renotify, false, 'sent twice')
  assert.equal((await push({ ...message, id: '2', body: 'Anyone?' })).renotify, true)
  assert.equal((await push({ ...message, id: '3', tag: 'ticket 2' })).renotify, false)
  assert.equal((await push({ ...message, body: '' })).body, 'Acme')
  const [, second] = await Promise.all(['4', '5'].map((id) => push({ ...message, id, tag: 'ticket 3' })))
  assert.equal(second?.renotify, true, 'at the same moment')
})
