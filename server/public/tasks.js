import { call } from './api.js'
import { emptyState, h, linkTo, toast, when } from './dom.js'
import { nameOf, pagedList } from './lists.js'

const views = {
  pending: { query: { status: 'pending' }, empty: 'Nothing is waiting to be done. Tasks are added from a contact.' },
  overdue: { query: { overdue: true }, empty: 'Nothing is overdue. Well done.' },
  completed: { query: { status: 'completed' }, empty: 'No task has been completed yet.' },
}

export function tasksPage(main, route) {
  const count = h('p', { class: 'count', role: 'status' })
  const tabs = h('nav', { class: 'tabs', 'aria-label': 'Which tasks' })
  const results = h('div')
  main.replaceChildren(h('header', { class: 'page' }, h('h1', { tabindex: '-1' }, 'Tasks'), count), tabs, results)

  function update({ query }) {
    const chosen = Object.hasOwn(views, query.get('view') ?? '') ? query.get('view') : 'pending'
    tabs.replaceChildren(
      ...Object.keys(views).map((view) =>
        h('a', { href: linkTo('tasks', '', { view }), 'aria-current': view === chosen && 'page' }, view),
      ),
    )
    const belongs = ({ status }) => Number(status === (chosen === 'completed' ? 'completed' : 'pending'))
    let counted
    const tell = (shown, total) => {
      counted = { shown, total }
      count.textContent = shown < total ? `${shown} of ${total}, newest first` : `${total} ${chosen}`
    }
    const onChange = (after, before) => tell(counted.shown, counted.total + belongs(after) - belongs(before))
    void pagedList(results, {
      path: 'crm/tasks',
      query: { ...views[chosen].query, limit: 100 },
      frame: () => {
        const rows = h('ul', { class: 'todo' })
        return { element: rows, rows }
      },
      row: (task) => taskItem(task, { showContact: true, onChange }),
      empty: () => emptyState(views[chosen].empty, linkTo('contacts'), 'Go to contacts'),
      // The API lists the newest first; when all of them are here, what is due first is more use.
      arrange: (tasks, hasMore) => (hasMore || chosen === 'completed' ? tasks : tasks.toSorted(byDueDate)),
      tell,
    })
  }
  update(route)
  return update
}

const byDueDate = (a, b) => (a.due_at ?? '9').localeCompare(b.due_at ?? '9')

/** One task. Ticking it off can be undone, and nothing moves under the reader's hand. */
export function taskItem(first, { showContact = false, onChange = () => {} } = {}) {
  const item = h('li')
  let task = first
  let isBusy = false

  async function setStatus(status, { undo = true } = {}) {
    if (isBusy) return draw()
    isBusy = true
    const before = task
    box.checked = status === 'completed'
    try {
      task = await call('PATCH', `crm/tasks/${task.id}`, { status })
      onChange(task, before)
      const back = () => setStatus(before.status, { undo: false })
      if (undo)
        toast(`${status === 'completed' ? 'Completed' : 'Reopened'} “${task.title}”`, { label: 'Undo', run: back })
    } catch (error) {
      toast(error.message)
    }
    isBusy = false
    draw()
  }

  const box = h('input', {
    type: 'checkbox',
    onchange: () => setStatus(box.checked ? 'completed' : 'pending'),
  })
  const details = h('span', { class: 'muted' })

  function draw() {
    const isOverdue = task.status === 'pending' && task.due_at && new Date(task.due_at) < new Date()
    box.checked = task.status === 'completed'
    item.className = task.status
    details.replaceChildren(
      ...[
        showContact && h('a', { href: linkTo('contacts', task.contact_id) }, nameOf(task.contact)),
        task.status === 'completed' && h('span', {}, 'completed ', when(task.completed_at)),
        task.status === 'cancelled' && 'cancelled',
        isOverdue && h('span', { class: 'overdue' }, 'overdue, due ', when(task.due_at)),
        task.status === 'pending' &&
          !isOverdue &&
          (task.due_at ? h('span', {}, 'due ', when(task.due_at)) : 'no due date'),
      ].filter(Boolean),
    )
  }
  item.append(h('label', {}, box, h('span', {}, task.title)), details)
  if (task.description) item.append(h('p', { class: 'muted' }, task.description))
  draw()
  return item
}
