/** Builds an element. Children are nodes or text, never markup: what people typed stays what they typed. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue
    if (typeof value === 'function') element.addEventListener(name.replace(/^on/, ''), value)
    else element.setAttribute(name, value === true ? '' : value)
  }
  element.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false))
  return element
}

/** The address says where we are: `#/contacts/<id>?stage=new`. */
export function currentRoute() {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?')
  const [page, id] = path.split('/')
  return { page: page || 'overview', id, query: new URLSearchParams(query) }
}

export function linkTo(page, id, query = '') {
  const text = new URLSearchParams(query).toString()
  return `#/${page}${id ? `/${encodeURIComponent(id)}` : ''}${text && `?${text}`}`
}

export const select = (attributes, options, chosen) =>
  h(
    'select',
    attributes,
    options.map(([value, text]) => h('option', { value, selected: value === chosen }, text)),
  )

/** What a list is for and what to do first, while there is nothing in it. */
export const emptyState = (text, href, label) =>
  h('div', { class: 'empty' }, h('p', {}, text), h('a', { href, class: 'button' }, label))

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' })

/** How long ago or ahead, with the exact moment in the viewer's zone on hover. */
export function when(instant) {
  if (!instant) return '—'
  const moment = new Date(instant)
  const seconds = (moment - Date.now()) / 1000
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? []
  const text = unit ? relative.format(Math.round(seconds / size), unit) : seconds > 0 ? 'in a moment' : 'just now'
  return h('time', { datetime: instant, title: exact.format(moment) }, text)
}

const latest = new WeakMap()

/**
 * Fills a place with what the work answers. Until then it is calm, a failure can be retried, and later loads win: the
 * work is given a way to ask whether it is still wanted.
 */
export async function load(place, work, { quiet = false } = {}) {
  const mine = {}
  latest.set(place, mine)
  place.setAttribute('aria-busy', 'true')
  if (!quiet)
    place.replaceChildren(
      h(
        'div',
        { class: 'skeleton', 'aria-hidden': 'true' },
        [1, 2, 3].map(() => h('i')),
      ),
    )
  let children
  try {
    children = [await work(() => latest.get(place) === mine)].flat()
  } catch (error) {
    children = [failure(error, () => load(place, work))]
  }
  if (latest.get(place) !== mine) return
  place.removeAttribute('aria-busy')
  place.replaceChildren(...children)
}

const failure = (error, retry) =>
  h(
    'div',
    { class: 'empty', role: 'alert' },
    h('p', {}, error.message),
    error.status !== 404 && h('button', { type: 'button', onclick: retry }, 'Try again'),
  )

let hiding

/** A word about what has just happened, and perhaps a way back. */
export function toast(text, action) {
  const place = document.getElementById('toast')
  clearTimeout(hiding)
  const undo = () => {
    place.replaceChildren()
    action.run()
  }
  place.replaceChildren(h('span', {}, text), action ? h('button', { type: 'button', onclick: undo }, action.label) : '')
  hiding = setTimeout(() => place.replaceChildren(), action ? 10_000 : 5000)
}

export function copyButton(text, label = 'Copy') {
  const copy = async ({ target }) => {
    // Pages at an address that is neither https nor this machine have no clipboard.
    if (!navigator.clipboard) return prompt('Copy this:', text)
    await navigator.clipboard.writeText(text)
    target.textContent = 'Copied'
    setTimeout(() => target.replaceChildren(label), 2000)
  }
  return h('button', { type: 'button', class: 'quiet', onclick: copy }, label)
}

/** A line for the terminal, ready to be copied. */
export const commandLine = (text) => h('div', { class: 'command' }, h('code', {}, text), copyButton(text))

/** Opens a dialog; the browser keeps the focus inside, and Escape closes it. */
export function openDialog(title, ...children) {
  const close = h('button', { type: 'button', class: 'quiet close', 'aria-label': 'Close' }, '✕')
  const heading = h('h2', { id: 'dialog-title' }, title)
  const dialog = h('dialog', { 'aria-labelledby': 'dialog-title' }, h('header', {}, heading, close), ...children)
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
  return dialog
}

/** Asks before what cannot be taken back; answers whether to go on. */
export function confirmed(question, consequence, yes) {
  return new Promise((resolve) => {
    const answer = h('button', { type: 'button', class: 'danger' }, yes)
    const cancel = h('button', { type: 'button', autofocus: true }, 'Cancel')
    const dialog = openDialog(question, h('p', {}, consequence), h('div', { class: 'actions' }, cancel, answer))
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'))
    answer.addEventListener('click', () => dialog.close('yes'))
    cancel.addEventListener('click', () => dialog.close())
  })
}
