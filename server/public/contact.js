import { call } from './api.js'
import { confirmed, copyButton, h, linkTo, load, toast, when } from './dom.js'
import { form, isChanged } from './form.js'
import { nameOf, stages } from './lists.js'
import { taskItem } from './tasks.js'
import { loadTimeline } from './timeline.js'

const stageOptions = stages.map((stage) => [stage, stage])

const fieldsOf = (contact) => [
  { name: 'name', label: 'Name', value: contact.name },
  {
    name: 'phone_number',
    label: 'Phone number',
    type: 'tel',
    value: contact.phone_number,
    hint: 'With + and country code',
  },
  { name: 'stage', label: 'Stage', value: contact.stage, options: stageOptions },
  {
    name: 'ai_handling',
    label: 'Handled by',
    value: String(contact.ai_handling),
    options: [
      ['true', 'AI'],
      ['false', 'people'],
    ],
  },
  { name: 'tags', label: 'Tags', value: contact.tags.join(', '), hint: 'Separated by commas' },
  { name: 'notes', label: 'Notes', value: contact.notes, rows: 3 },
]

/** Form values as the API wants them. */
const toContact = ({ ai_handling, tags, ...values }) => ({
  ...values,
  ai_handling: ai_handling === 'true',
  tags: tags
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean),
})

/** A number that somebody has already leads to whoever has it. */
const explain = ({ status, message, body }) =>
  status === 409 && [
    `${message}. `,
    body.existing_id && h('a', { href: linkTo('contacts', body.existing_id) }, 'Open it'),
  ]

function head(title, close) {
  const heading = h('h2', { tabindex: '-1' }, title)
  const back = h('button', { type: 'button', class: 'quiet close', 'aria-label': 'Close', onclick: close }, '✕')
  return { heading, element: h('header', {}, heading, back) }
}

/** Answers nothing: an answer of false would swallow every other key. */
const closeOnEscape = (close) => (event) => {
  if (event.key === 'Escape') close()
}

export function addContactPanel(panel, { close, added }) {
  const { element } = head('New contact', close)
  const blank = { name: '', phone_number: '', stage: 'new', ai_handling: true, tags: [], notes: '' }
  const newForm = form({
    label: 'New contact',
    fields: fieldsOf(blank),
    button: 'Add contact',
    working: 'Adding…',
    explain,
    async submit(values) {
      const contact = await call('POST', 'contacts', toContact(values))
      newForm.reset()
      newForm.removeAttribute('data-guard')
      toast(`Added ${nameOf(contact)}`)
      added(contact)
    },
  })
  panel.replaceChildren(element, newForm)
  panel.onkeydown = closeOnEscape(close)
  newForm.querySelector('input').focus()
}

export function contactPanel(panel, id, { close, changed, deleted }) {
  const { heading, element } = head('Contact', close)
  const body = h('div', { class: 'body' })
  const details = h('div')
  const tasks = h('div')
  const timeline = h('ol', { class: 'timeline' })
  let contact

  const show = (after) => {
    contact = after
    heading.textContent = nameOf(contact)
    details.replaceChildren(detailsForm(contact, saved))
  }
  const saved = (after) => {
    show(after)
    changed(after)
    details.querySelector('[type=submit]').focus()
    void loadTimeline(timeline, id)
  }
  // What happens to a contact is told in its timeline and moves its last activity.
  const retold = () => {
    void loadTimeline(timeline, id)
    call('GET', `contacts/${id}`).then(changed, ({ message }) => toast(message))
  }

  panel.replaceChildren(element, body)
  panel.onkeydown = closeOnEscape(close)
  heading.focus()
  void load(body, async () => {
    show(await call('GET', `contacts/${id}`))
    void loadTimeline(timeline, id)
    void loadTasks(tasks, id, retold)
    return [
      h('p', { class: 'muted' }, 'Added ', when(contact.created_at), ' ', copyButton(id, 'Copy id')),
      contact.opted_out_at && h('p', { class: 'notice' }, 'Opted out of messages ', when(contact.opted_out_at)),
      details,
      customFields(contact.custom_fields),
      h('h3', {}, 'Tasks'),
      tasks,
      newTask(id, () => loadTasks(tasks, id, retold).then(retold)),
      h('h3', {}, 'Timeline'),
      newNote(id, retold),
      timeline,
      h(
        'div',
        { class: 'actions' },
        deleteButton(() => contact, deleted),
      ),
    ].filter(Boolean)
  })
}

function detailsForm(before, saved) {
  return form({
    label: 'Details',
    fields: fieldsOf(before),
    button: 'Save',
    working: 'Saving…',
    explain,
    async submit(values, { elements }) {
      // Only what the person touched, so that a colleague's change to the rest is kept.
      const changes = Object.entries(toContact(values)).filter(([name]) => isChanged(elements[name]))
      if (changes.length === 0) return toast('Nothing was changed')
      saved(await call('PATCH', `contacts/${before.id}`, Object.fromEntries(changes)))
      toast('Saved')
    },
  })
}

function customFields(fields) {
  const entries = Object.entries(fields)
  if (entries.length === 0) return undefined
  const text = (value) => (typeof value === 'string' ? value : JSON.stringify(value))
  return h(
    'dl',
    {},
    entries.map(([name, value]) => [h('dt', {}, name), h('dd', {}, text(value))]),
  )
}

const loadTasks = (place, id, onChange) =>
  load(
    place,
    async () => {
      const { data, total_count } = await call('GET', `crm/tasks?limit=50&contact_id=${id}`)
      if (data.length === 0) return h('p', { class: 'muted' }, 'No tasks yet. Add what is to be done for this contact:')
      const open = data.filter(({ status }) => status === 'pending')
      const rest = data.filter(({ status }) => status !== 'pending')
      const items = [...open, ...rest].map((task) => taskItem(task, { onChange }))
      const more =
        total_count > data.length && h('p', { class: 'muted' }, `The newest ${data.length} of ${total_count}`)
      return [h('ul', { class: 'todo' }, items), more].filter(Boolean)
    },
    { quiet: place.hasChildNodes() },
  )

function newTask(contact_id, added) {
  return form({
    kind: 'task',
    fields: [
      { name: 'title', label: 'New task', maxlength: 255 },
      { name: 'due_at', label: 'Due', type: 'datetime-local' },
    ],
    button: 'Add task',
    working: 'Adding…',
    async submit({ title, due_at }, element) {
      const due = due_at && { due_at: new Date(due_at).toISOString() }
      await call('POST', 'crm/tasks', { contact_id, title, ...due })
      element.reset()
      added()
    },
  })
}

function newNote(id, added) {
  return form({
    fields: [{ name: 'note', label: 'New note', rows: 2, required: true }],
    button: 'Add note',
    working: 'Adding…',
    async submit({ note }, element) {
      if (!note.trim()) return element.elements.note.focus()
      await call('POST', `contacts/${id}/activities`, { note })
      element.reset()
      added()
    },
  })
}

function deleteButton(current, deleted) {
  const remove = async () => {
    const contact = current()
    const name = nameOf(contact)
    const consequence = 'The timeline and tasks of this contact go with it. This cannot be undone.'
    if (!(await confirmed(`Delete ${name}?`, consequence, 'Delete contact'))) return
    try {
      await call('DELETE', `contacts/${contact.id}`)
      toast(`Deleted ${name}`)
      deleted()
    } catch (error) {
      toast(error.message)
    }
  }
  return h('button', { type: 'button', class: 'danger', onclick: remove }, 'Delete contact')
}
