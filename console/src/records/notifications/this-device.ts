import { api } from '../../data/api.ts'

/** What is set for this browser alone. */

const soundKey = 'notification-sound'
export const hasSound = () => localStorage.getItem(soundKey) !== 'off'
export const setSound = (isOn: boolean) => localStorage.setItem(soundKey, isOn ? 'on' : 'off')

const desktopKey = 'desktop-notifications'

/** Browsers offer notifications over https and on localhost only. The service worker shows them: Android takes no others. */
export const canNotify = () => 'serviceWorker' in navigator && 'Notification' in window && window.isSecureContext

/** Whether an open tab that is not in use shows desktop notifications. */
export const isDesktopOn = () =>
  canNotify() && Notification.permission === 'granted' && localStorage.getItem(desktopKey) !== 'off'

async function requestPermission(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('Your browser blocks notifications of this page. Allow them in its settings.')
}

/** Asks for permission. Throws with a reason for people. */
export async function turnDesktopOn(): Promise<void> {
  await requestPermission()
  localStorage.removeItem(desktopKey)
}

/** The browser keeps its permission, which push notifications may need. */
export const turnDesktopOff = () => localStorage.setItem(desktopKey, 'off')

const idKey = 'push-subscription'

export const canPush = () => canNotify() && 'PushManager' in window

const registration = () => navigator.serviceWorker.register('/service-worker.js')

export async function isPushOn(): Promise<boolean> {
  if (!canPush() || Notification.permission !== 'granted' || !localStorage.getItem(idKey)) return false
  return (await (await registration()).pushManager.getSubscription()) !== null
}

/** Asks for permission, subscribes, and names the subscription to the service. Throws with a reason for people. */
export async function turnPushOn(publicKey: string): Promise<void> {
  await requestPermission()
  const { pushManager } = await registration()
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { id } = await api.notifications.createPushSubscription(subscription.toJSON() as never)
  localStorage.setItem(idKey, id)
}

export async function turnPushOff(): Promise<void> {
  const subscription = await (await registration()).pushManager.getSubscription()
  await subscription?.unsubscribe()
  const id = localStorage.getItem(idKey)
  localStorage.removeItem(idKey)
  // The session or another browser may have removed it already.
  if (id) await api.notifications.deletePushSubscription(id).catch(() => {})
}

/** A new session takes the browser's subscription over: pushes end with the session that they belong to. */
export async function renewPush(): Promise<void> {
  if (!(await isPushOn())) return
  const subscription = await (await registration()).pushManager.getSubscription()
  if (!subscription) return
  const { id } = await api.notifications.createPushSubscription(subscription.toJSON() as never)
  localStorage.setItem(idKey, id)
}

/** Shows a desktop notification. A click opens the address, in this tab or another one of the console. */
export async function showOnDesktop(given: { title: string; body: string; ticketId: string; url: string }) {
  const options: NotificationOptions & { renotify: boolean } = {
    body: given.body,
    // As pushes have it: the newest about a ticket replaces the one that is shown, and alerts again.
    tag: `ticket ${given.ticketId}`,
    renotify: true,
    icon: '/icon-192.png',
    badge: '/badge.png',
    data: { url: given.url },
  }
  await (await activeRegistration()).showNotification(given.title, options)
}

/** A worker that was just registered shows nothing before it is active. */
const activeRegistration = async () => {
  await registration()
  return navigator.serviceWorker.ready
}
