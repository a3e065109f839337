import { session } from './api.js'
import { addContactPanel, contactPanel } from './contact.js'
import { currentRoute, emptyState, h, linkTo, select, when } from './dom.js'
import { nameOf, pagedList, stageLabel, stages } from './lists.js'

const typingPauseMs = 250
const filterNames = ['search', 'stage', 'ai_handling']

const chosenFilters = ({ query }) =>
  Object.fromEntries(filterNames.map((name) => [name, query.get(name)]).filter(([, value]) => value))

/** The list with its filters in the address, and beside it one contact or the form for a new one. */
export function contactsPage(main, firstRoute) {
  let shownFilters
  let shownId
  let filters = {}

  const count = h('p', { class: 'count', role: 'status' })
  const results = h('div', { class: 'results' })
  const panel = h('aside', { class: 'panel', 'aria-label': 'Contact' })
  const search = h('input', { type: 'search', placeholder: 'Name or phone number', 'aria-label': 'Search contacts' })
  const stage = select({ 'aria-label': 'Stage' }, [['', 'Any stage'], ...stages.map((each) => [each, each])])
  const handling = select({ 'aria-label': 'Handled by' }, [
    ['', 'Handled by anyone'],
    ['true', 'Handled by AI'],
    ['false', 'Handled by people'],
  ])
  const controls = { search, stage, ai_handling: handling }
  const add = h('a', { class: 'button primary' }, 'Add contact')
  const list = h(
    'section',
    { class: 'list', 'aria-label': 'Contacts' },
    h('header', { class: 'page' }, h('h1', { tabindex: '-1' }, 'Contacts'), count, add),
    h('div', { class: 'filters', role: 'search' }, search, stage, handling),
    results,
  )
  main.replaceChildren(h('div', { class: 'columns' }, list, panel))

  let typing
  search.addEventListener('input', () => {
    clearTimeout(typing)
    typing = setTimeout(applyFilters, typingPauseMs)
  })
  stage.addEventListener('change', applyFilters)
  handling.addEventListener('change', applyFilters)

  function applyFilters() {
    clearTimeout(typing)
    if (!search.isConnected) return
    const chosen = filterNames.map((name) => [name, controls[name].value.trim()]).filter(([, value]) => value)
    history.replaceState(null, '', linkTo('contacts', currentRoute().id, chosen))
    update(currentRoute())
  }

  const reload = (options) =>
    pagedList(
      results,
      {
        path: 'contacts',
        query: filters,
        frame: table,
        row,
        empty,
        tell: (shown, total) => {
          count.textContent = shown < total ? `${shown} of ${total.toLocaleString('en')}` : `${total}`
        },
      },
      options,
    )

  function row(contact) {
    const href = linkTo('contacts', contact.id, filters)
    const isOpen = contact.id === shownId
    return h(
      'tr',
      { id: `row-${contact.id}` },
      h(
        'td',
        {},
        h('a', { href, 'aria-current': isOpen && 'true' }, nameOf(contact)),
        h('small', { class: 'narrow' }, contact.phone_number),
      ),
      h('td', { class: 'phone' }, contact.phone_number),
      h('td', {}, stageLabel(contact.stage)),
      h('td', { class: 'wide' }, contact.ai_handling ? 'AI' : 'people'),
      h(
        'td',
        { class: 'wide' },
        contact.tags.map((tag) => h('span', { class: 'tag' }, tag)),
      ),
      h('td', { class: 'medium' }, when(contact.last_activity_at)),
    )
  }

  function empty() {
    if (Object.keys(filters).length > 0)
      return emptyState('No contact matches these filters.', linkTo('contacts'), 'Show all contacts')
    const text = `Contacts are the people your organization talks to. There are none in ${session.mode} mode yet.`
    return emptyState(text, linkTo('contacts', 'new'), 'Add the first contact')
  }

  function update(route) {
    filters = chosenFilters(route)
    const key = JSON.stringify(filters)
    if (key !== shownFilters) {
      const isFirst = shownFilters === undefined
      shownFilters = key
      for (const name of filterNames) setValue(controls[name], filters[name] ?? '')
      add.href = linkTo('contacts', 'new', filters)
      void reload({ quiet: !isFirst })
    }
    if (route.id !== shownId) open(route.id)
  }

  function open(id) {
    const previous = shownId
    shownId = id
    for (const link of results.querySelectorAll('[aria-current]')) link.removeAttribute('aria-current')
    results.querySelector(`#row-${CSS.escape(id ?? '')} a`)?.setAttribute('aria-current', 'true')
    main.classList.toggle('with-panel', Boolean(id))
    const close = () => {
      location.hash = linkTo('contacts', '', filters)
    }
    if (id === 'new') addContactPanel(panel, { close, added: (contact) => goTo(contact.id) })
    else if (id) contactPanel(panel, id, { close, changed, deleted: () => goTo('') })
    else {
      panel.replaceChildren()
      const opener = previous === 'new' ? add : results.querySelector(`#row-${CSS.escape(previous ?? '')} a`)
      ;(opener ?? list.querySelector('h1')).focus()
    }
  }

  function goTo(id) {
    location.hash = linkTo('contacts', id, id ? {} : filters)
    void reload({ quiet: true })
  }

  const changed = (contact) => document.getElementById(`row-${contact.id}`)?.replaceWith(row(contact))

  update(firstRoute)
  return update
}

/** The cursor of somebody who is typing stays where it is. */
function setValue(control, value) {
  if (control.value.trim() !== value) control.value = value
}

function table() {
  const rows = h('tbody')
  const head = (text, className) => h('th', { scope: 'col', class: className }, text)
  const heads = [
    head('Name'),
    head('Phone', 'phone'),
    head('Stage'),
    head('Handled by', 'wide'),
    head('Tags', 'wide'),
    head('Last activity', 'medium'),
  ]
  return { rows, element: h('table', {}, h('thead', {}, h('tr', {}, heads)), rows) }
}
