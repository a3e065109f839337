import type { api as types } from '@frontdesk/sdk'

const titles: Record<types.Notification['kind'], (name: string) => string> = {
  assigned: (name) => `${name} was assigned to you`,
  message: (name) => `Message from ${name}`,
  unassigned: (name) => `${name} is waiting`,
  mention: (name) => `You were mentioned in ${name}’s conversation`,
  handoff: (name) => `The AI handed off ${name}`,
}

export const titleOf = ({ kind, contact_name, count }: types.Notification): string =>
  titles[kind](contact_name) + (count > 1 ? ` (${count})` : '')
