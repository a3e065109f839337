// Shows push notifications. It caches nothing: the console needs the service anyway.

// A tag per ticket: the next notification about the same ticket replaces the one that is shown, and alerts again. One
// that was sent twice does not. Pushes are handled in turn: one that arrives meanwhile would not see the one being shown.
let handled = Promise.resolve()
self.addEventListener('push', (event) => {
  const { id, title, body, organization, tag, url } = event.data.json()
  const show = async () => {
    const earlier = await self.registration.getNotifications({ tag })
    await self.registration.showNotification(title, {
      body: body ? `${body}\n${organization}` : organization,
      tag,
      renotify: earlier.some(({ data }) => data.id !== id),
      icon: '/icon-192.png',
      badge: '/badge.png',
      data: { id, url },
    })
  }
  handled = handled.catch(() => {}).then(show)
  event.waitUntil(handled)
})

// Opens the conversation in a tab that shows the console, or in a new one.
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { url } = event.notification.data
  const open = async () => {
    const [tab] = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
    if (!tab) return self.clients.openWindow(url)
    await tab.focus()
    tab.postMessage({ type: 'open', url })
  }
  event.waitUntil(open())
})
