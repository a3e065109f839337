// Shows push notifications. It caches nothing: the console needs the service anyway.

// A tag per ticket: the next notification about the same ticket replaces the one that is shown.
self.addEventListener('push', (event) => {
  const { title, body, organization, tag, url } = event.data.json()
  const text = body ? `${body}\n${organization}` : organization
  const shown = { body: text, tag, icon: '/favicon.svg', badge: '/favicon.svg', data: { url } }
  event.waitUntil(self.registration.showNotification(title, shown))
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
