/** All event types with descriptions, grouped by noun. */
export const eventGroups: { kind: string; label: string; types: [string, string][] }[] = [
  {
    kind: 'contact',
    label: 'Contacts',
    types: [
      ['contact.created', 'Contact created'],
      ['contact.updated', 'Contact updated'],
      ['contact.deleted', 'Contact deleted'],
      ['contact.stage_changed', 'Contact stage changed'],
      ['contact.handoff', 'Conversation handed off to a person or to AI'],
      ['contact.opted_out', 'Contact opted out of marketing'],
      ['contact.blocked', 'Contact blocked'],
      ['contact.unblocked', 'Contact unblocked'],
      ['contact.merged', 'Contact merged with another'],
      ['contact.erased', 'Contact erased'],
    ],
  },
  {
    kind: 'bulk_edit',
    label: 'Bulk edits of contacts',
    types: [
      ['bulk_edit.completed', 'Bulk edit completed'],
      ['bulk_edit.cancelled', 'Bulk edit cancelled'],
    ],
  },
  { kind: 'activity', label: 'Timeline', types: [['activity.created', 'Timeline entry added']] },
  {
    kind: 'task',
    label: 'Tasks',
    types: [
      ['task.created', 'Task created'],
      ['task.updated', 'Task updated'],
      ['task.completed', 'Task completed'],
      ['task.deleted', 'Task deleted'],
    ],
  },
  {
    kind: 'ticket',
    label: 'Conversations',
    types: [
      ['ticket.opened', 'Conversation opened'],
      ['ticket.updated', 'Conversation assigned, prioritized, tagged or snoozed, or due time changed'],
      ['ticket.woken', 'Snoozed conversation came back'],
      ['ticket.rated', 'Conversation rated'],
      ['ticket.closed', 'Conversation closed'],
      ['ticket.analyzed', 'Summary and results of a closed conversation'],
      ['ticket.reopened', 'Conversation reopened'],
      ['ticket.sla_warning', 'SLA target due soon'],
      ['ticket.sla_breached', 'SLA target missed'],
    ],
  },
  {
    kind: 'message',
    label: 'Messages',
    types: [
      ['message.received', 'Message received'],
      ['message.sent', 'Message sent'],
      ['message.delivered', 'Message delivered'],
      ['message.read', 'Message read'],
      ['message.failed', 'Message failed'],
      ['message.updated', 'Reaction added or removed'],
    ],
  },
  {
    kind: 'note',
    label: 'Notes',
    types: [
      ['note.created', 'Note added to a conversation'],
      ['note.updated', 'Note edited'],
      ['note.deleted', 'Note deleted'],
    ],
  },
  {
    kind: 'scheduled_message',
    label: 'Scheduled messages',
    types: [
      ['scheduled_message.created', 'Message scheduled'],
      ['scheduled_message.updated', 'Scheduled message changed'],
      ['scheduled_message.cancelled', 'Scheduled message cancelled'],
      ['scheduled_message.sent', 'Scheduled message sent'],
      ['scheduled_message.failed', 'Scheduled message could not be sent'],
    ],
  },
  {
    kind: 'saved_reply',
    label: 'Saved replies',
    types: [
      ['saved_reply.created', 'Saved reply created or shared'],
      ['saved_reply.updated', 'Shared saved reply updated'],
      ['saved_reply.deleted', 'Saved reply deleted or made private'],
    ],
  },
  {
    kind: 'inbox_view',
    label: 'Saved views',
    types: [
      ['inbox_view.created', 'View created or shared'],
      ['inbox_view.updated', 'Shared view updated'],
      ['inbox_view.deleted', 'View deleted or made private'],
    ],
  },
  {
    kind: 'team',
    label: 'Teams',
    types: [
      ['team.created', 'Team created'],
      ['team.updated', 'Team or its members updated'],
      ['team.deleted', 'Team deleted'],
    ],
  },
  {
    kind: 'member',
    label: 'Members',
    types: [['member.availability_changed', 'Availability or capacity of a member changed']],
  },
  {
    kind: 'assignment_rule',
    label: 'Assignment rules',
    types: [
      ['assignment_rule.created', 'Assignment rule created'],
      ['assignment_rule.updated', 'Assignment rule updated'],
      ['assignment_rule.deleted', 'Assignment rule deleted'],
    ],
  },
  {
    kind: 'schedule',
    label: 'Business hours',
    types: [
      ['schedule.created', 'Business hours created'],
      ['schedule.updated', 'Business hours updated'],
      ['schedule.deleted', 'Business hours deleted'],
    ],
  },
  {
    kind: 'sla_policy',
    label: 'SLA policies',
    types: [
      ['sla_policy.created', 'SLA policy created'],
      ['sla_policy.updated', 'SLA policy updated'],
      ['sla_policy.deleted', 'SLA policy deleted'],
    ],
  },
  {
    kind: 'template',
    label: 'Templates',
    types: [
      ['template.created', 'Template created'],
      ['template.approved', 'Template approved by WhatsApp'],
      ['template.rejected', 'Template rejected by WhatsApp'],
      ['template.updated', 'Template updated'],
      ['template.deleted', 'Template deleted'],
    ],
  },
  {
    kind: 'campaign',
    label: 'Campaigns',
    types: [
      ['campaign.scheduled', 'Campaign scheduled'],
      ['campaign.updated', 'Campaign updated'],
      ['campaign.started', 'Campaign started'],
      ['campaign.paused', 'Campaign paused'],
      ['campaign.resumed', 'Campaign resumed'],
      ['campaign.completed', 'Campaign completed'],
      ['campaign.failed', 'Campaign failed'],
      ['campaign.cancelled', 'Campaign cancelled'],
      ['campaign.deleted', 'Campaign deleted'],
    ],
  },
  {
    kind: 'agent',
    label: 'Agents',
    types: [
      ['agent.created', 'Agent created'],
      ['agent.updated', 'Agent updated'],
      ['agent.deleted', 'Agent deleted'],
    ],
  },
  {
    kind: 'provider_key',
    label: 'Provider keys',
    types: [
      ['provider_key.created', 'Provider key added'],
      ['provider_key.updated', 'Provider key replaced'],
      ['provider_key.deleted', 'Provider key removed'],
    ],
  },
  {
    kind: 'call',
    label: 'Calls',
    types: [
      ['call.started', 'Call started'],
      ['call.ended', 'Call ended'],
      ['call.analyzed', 'Call summary ready'],
      ['call.transferred', 'Transferred caller connected or not'],
      ['call.deleted', 'Call deleted'],
    ],
  },
  {
    kind: 'document',
    label: 'Knowledge',
    types: [
      ['document.created', 'Document uploaded'],
      ['document.ready', 'Document indexed'],
      ['document.updated', 'Document replaced, or its replacement failed'],
      ['document.failed', 'Document failed'],
      ['document.deleted', 'Document deleted'],
    ],
  },
  {
    kind: 'collection',
    label: 'Collections',
    types: [
      ['collection.created', 'Collection created'],
      ['collection.updated', 'Collection updated'],
      ['collection.deleted', 'Collection deleted'],
    ],
  },
  {
    kind: 'website',
    label: 'Websites',
    types: [
      ['website.created', 'Website added'],
      ['website.updated', 'Website updated'],
      ['website.crawled', 'Website crawled'],
      ['website.deleted', 'Website deleted'],
    ],
  },
  {
    kind: 'channel',
    label: 'Channels',
    types: [
      ['channel.created', 'Channel created'],
      ['channel.updated', 'Channel updated'],
      ['channel.health_changed', 'Number health changed'],
      ['channel.deleted', 'Channel deleted'],
    ],
  },
  { kind: 'webhook', label: 'Webhooks', types: [['webhook.disabled', 'Webhook disabled']] },
]

const words = new Map(eventGroups.flatMap(({ types }) => types))
words.set('ping', 'Webhook test')

export const eventText = (type: string): string => words.get(type) ?? type

/** Whether the webhook names event types that its creating credential may not read. */
export function isLimited({ events, event_types }: { events: string[]; event_types: string[] }): boolean {
  const received = new Set(event_types)
  const asksFor = (type: string) => events.some((each) => each === '*' || each === type || each === kindOf(type))
  return eventGroups.some(({ types }) => types.some(([type]) => asksFor(type) && !received.has(type)))
}

const kindOf = (type: string) => `${type.split('.')[0]}.*`

/** A short summary for a row. */
export function summaryOfEvents(events: string[]): string {
  if (events.includes('*')) return 'All events'
  if (events.length <= 2) return events.join(', ')
  return `${events.slice(0, 2).join(', ')} and ${events.length - 2} more`
}
