/** Times that a conversation is usually snoozed until, in the viewer's time zone. */
export function snoozeTimes(now = new Date()): { label: string; until: Date }[] {
  const at = (days: number, hour: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour, 0, 0, 0)
  const toMonday = (8 - now.getDay()) % 7 || 7
  return [
    { label: 'In an hour', until: new Date(now.getTime() + 3_600_000) },
    ...(now.getHours() < 16 ? [{ label: 'Later today', until: at(0, 17) }] : []),
    { label: 'Tomorrow morning', until: at(1, 9) },
    { label: 'Next Monday', until: at(toMonday, 9) },
    { label: 'In a week', until: at(7, 9) },
  ]
}
