import { api } from '../../data/api.ts'

/** What is set for this browser alone. */

const soundKey = 'notification-sound'
export const hasSound = () => localStorage.getItem(soundKey) !== 'off'
export const setSound = (isOn: boolean) => localStorage.setItem(soundKey, isOn ? 'on' : 'off')

const idKey = 'push-subscription'

/** Browsers offer push over https and on localhost only. */
export const canPush = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

const registration = () => navigator.serviceWorker.register('/service-worker.js')

export async function isPushOn(): Promise<boolean> {
  if (!canPush() || Notification.permission !== 'granted' || !localStorage.getItem(idKey)) return false
  return (await (await registration()).pushManager.getSubscription()) !== null
}

/** Asks for permission, subscribes, and names the subscription to the service. Throws with a reason for people. */
export async function turnPushOn(publicKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('Your browser blocks notifications of this page. Allow them in its settings.')
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
