/** Every type of event, in words, grouped by what it happens to. */
export const eventGroups: { kind: string; label: string; types: [string, string][] }[] = [
  {
    kind: 'contact',
    label: 'Contacts',
    types: [
      ['contact.created', 'A contact was created'],
      ['contact.updated', 'A contact was changed'],
      ['contact.deleted', 'A contact was deleted'],
      ['contact.stage_changed', 'A contact moved to another stage'],
      ['contact.handoff', 'A conversation was handed to a person or to AI'],
      ['contact.opted_out', 'A contact wants no more marketing'],
    ],
  },
  { kind: 'activity', label: 'Timeline', types: [['activity.created', 'A note or another entry was added']] },
  {
    kind: 'task',
    label: 'Tasks',
    types: [
      ['task.created', 'A task was created'],
      ['task.updated', 'A task was changed'],
      ['task.completed', 'A task was completed'],
      ['task.deleted', 'A task was deleted'],
    ],
  },
  {
    kind: 'ticket',
    label: 'Conversations',
    types: [
      ['ticket.opened', 'A conversation was opened'],
      ['ticket.updated', 'A conversation was given to somebody else'],
      ['ticket.closed', 'A conversation was closed'],
      ['ticket.reopened', 'A conversation was opened again'],
    ],
  },
  {
    kind: 'message',
    label: 'Messages',
    types: [
      ['message.received', 'A customer wrote'],
      ['message.sent', 'A message was sent'],
      ['message.delivered', 'A message arrived'],
      ['message.read', 'A message was read'],
      ['message.failed', 'A message could not be sent'],
      ['message.updated', 'A reaction was added or taken back'],
    ],
  },
  {
    kind: 'template',
    label: 'Templates',
    types: [
      ['template.created', 'A template was created'],
      ['template.approved', 'The platform approved a template'],
      ['template.rejected', 'The platform rejected a template'],
      ['template.updated', 'A template was changed'],
      ['template.deleted', 'A template was deleted'],
    ],
  },
  {
    kind: 'campaign',
    label: 'Campaigns',
    types: [
      ['campaign.scheduled', 'A campaign was scheduled'],
      ['campaign.updated', 'A campaign was changed'],
      ['campaign.started', 'A campaign began to send'],
      ['campaign.paused', 'A campaign paused'],
      ['campaign.resumed', 'A campaign goes on'],
      ['campaign.completed', 'A campaign has sent everything'],
      ['campaign.failed', 'A campaign could not be sent'],
      ['campaign.cancelled', 'A campaign was cancelled'],
      ['campaign.deleted', 'A campaign was deleted'],
    ],
  },
  {
    kind: 'agent',
    label: 'Agents',
    types: [
      ['agent.created', 'An agent was created'],
      ['agent.updated', 'An agent was changed'],
      ['agent.deleted', 'An agent was deleted'],
    ],
  },
  {
    kind: 'call',
    label: 'Calls',
    types: [
      ['call.started', 'A call began'],
      ['call.ended', 'A call ended'],
      ['call.analyzed', 'The summary of a call is there'],
      ['call.deleted', 'A call was deleted'],
    ],
  },
  {
    kind: 'document',
    label: 'Knowledge',
    types: [
      ['document.created', 'A document was uploaded'],
      ['document.ready', 'A document can be found'],
      ['document.failed', 'A document could not be read'],
      ['document.deleted', 'A document was deleted'],
    ],
  },
  {
    kind: 'channel',
    label: 'Channels',
    types: [
      ['channel.created', 'A channel was created'],
      ['channel.updated', 'A channel was changed'],
      ['channel.deleted', 'A channel was deleted'],
    ],
  },
  { kind: 'webhook', label: 'Webhooks', types: [['webhook.disabled', 'A webhook was disabled']] },
]

const words = new Map(eventGroups.flatMap(({ types }) => types))
words.set('ping', 'Somebody tested a webhook')

export const wordsOfEvent = (type: string): string => words.get(type) ?? type

/** Whether it asks for types that it does not receive, because the credential that set it up may not read them. */
export function isLimited({ events, event_types }: { events: string[]; event_types: string[] }): boolean {
  const received = new Set(event_types)
  const asksFor = (type: string) => events.some((each) => each === '*' || each === type || each === kindOf(type))
  return eventGroups.some(({ types }) => types.some(([type]) => asksFor(type) && !received.has(type)))
}

const kindOf = (type: string) => `${type.split('.')[0]}.*`

/** Short enough for a row. */
export function summaryOfEvents(events: string[]): string {
  if (events.includes('*')) return 'All events'
  if (events.length <= 2) return events.join(', ')
  return `${events.slice(0, 2).join(', ')} and ${events.length - 2} more`
}
