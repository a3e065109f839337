import { call, session } from './api.js'
import { h, load, toast, when } from './dom.js'

const pageSize = 20

const words = {
  contact_created: () => 'Contact created',
  note_added: () => 'Note',
  stage_changed: ({ old_stage, new_stage }) => `Stage changed from ${old_stage} to ${new_stage}`,
  handoff_to_human: ({ reason }) => `Handed to people${reason ? `: ${reason}` : ''}`,
  handoff_to_ai: ({ reason }) => `Handed to AI${reason ? `: ${reason}` : ''}`,
  task_created: ({ title }) => `Task added: ${title ?? ''}`,
  task_completed: ({ title }) => `Task completed: ${title ?? ''}`,
  meeting_scheduled: ({ title }) => `Meeting scheduled${title ? `: ${title}` : ''}`,
  message_inbound: ({ preview }) => `Message received${preview ? `: ${preview}` : ''}`,
  message_outbound: ({ preview }) => `Message sent${preview ? `: ${preview}` : ''}`,
}

function activityItem({ type, actor_type, actor_id, payload, created_at }) {
  const isMine = actor_id === session.me.user.id
  const actor = isMine ? 'you' : { user: 'a user', ai: 'AI', system: 'the system' }[actor_type]
  const text = words[type]?.(payload) ?? type.replaceAll('_', ' ')
  return h(
    'li',
    {},
    h('div', {}, text, ' ', h('span', { class: 'muted' }, 'by ', actor, ', ', when(created_at))),
    typeof payload.note === 'string' && h('p', {}, payload.note),
  )
}

/** The newest first, older ones on demand. */
export function loadTimeline(list, id) {
  const read = (offset) => call('GET', `contacts/${id}/activities?limit=${pageSize}&offset=${offset}`)
  const older = (count) => {
    const button = h('button', { type: 'button' }, 'Show older')
    button.addEventListener('click', async () => {
      try {
        const page = await read(count)
        button.parentElement.replaceWith(...items(page, count))
      } catch (error) {
        toast(error.message)
      }
    })
    return h('li', {}, button)
  }
  const items = ({ activities, has_more }, offset) => [
    ...activities.map(activityItem),
    ...(has_more ? [older(offset + activities.length)] : []),
  ]
  return load(list, async () => items(await read(0), 0), { quiet: list.hasChildNodes() })
}
