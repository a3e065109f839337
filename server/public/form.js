import { h, select } from './dom.js'

let made = 0

/** A labelled control with a place for its own error. Options make it a select, rows a text area. */
function field({ name, label, hint, value = '', options, rows, ...attributes }) {
  const id = `field-${++made}`
  const describedby = `${id}-error${hint ? ` ${id}-hint` : ''}`
  const shared = { id, name, 'aria-describedby': describedby, ...attributes }
  const input = options
    ? select(shared, options, value)
    : rows
      ? h('textarea', { ...shared, rows }, value)
      : h('input', { type: 'text', ...shared, value })
  return h(
    'div',
    { class: 'field' },
    h('label', { for: id }, label),
    input,
    hint && h('small', { id: `${id}-hint` }, hint),
    h('small', { id: `${id}-error`, class: 'error' }),
  )
}

/**
 * A form that shows the API's own words where they belong. `submit` is given the values; what it throws is shown, in
 * the words of `explain` where it has some. Guarded forms are asked about before the person leaves them half done.
 */
export function form({
  fields,
  button,
  working = 'Working…',
  submit,
  explain = () => false,
  guard = true,
  label,
  kind,
}) {
  const problem = h('div', { class: 'error', role: 'alert' })
  const send = h('button', { type: 'submit', class: 'primary' }, button)
  let busy = false

  function show(error) {
    const unplaced = []
    for (const { loc, msg } of error.faults ?? []) {
      const input = element.elements.namedItem(loc[1] ?? '')
      if (!input) unplaced.push(msg)
      else mark(input, msg)
    }
    if (!error.faults?.length) unplaced.push(error.message)
    problem.replaceChildren(...(explain(error) || [unplaced.join('; ')]))
    element.querySelector('[aria-invalid]')?.focus()
  }

  function mark(input, message) {
    if (message) input.setAttribute('aria-invalid', 'true')
    else input.removeAttribute('aria-invalid')
    const place = input.closest('.field')?.querySelector('.error')
    if (place) place.textContent = message
  }

  async function onsubmit(event) {
    event.preventDefault()
    if (busy) return
    busy = true
    problem.replaceChildren()
    for (const input of element.elements) if (input.name) mark(input, '')
    send.textContent = working
    send.setAttribute('aria-disabled', 'true')
    try {
      await submit(Object.fromEntries(new FormData(element)), element)
    } catch (error) {
      show(error)
    }
    busy = false
    send.textContent = button
    send.removeAttribute('aria-disabled')
  }

  const element = h(
    'form',
    { onsubmit, novalidate: true, autocomplete: 'off', 'data-guard': guard, 'aria-label': label, class: kind },
    fields.map(field),
    problem,
    h('div', { class: 'actions' }, send),
  )
  return element
}

export const isChanged = (input) =>
  input.options
    ? [...input.options].some(({ selected, defaultSelected }) => selected !== defaultSelected)
    : 'defaultValue' in input && input.type !== 'checkbox' && input.value !== input.defaultValue

export const hasUnsavedChanges = () =>
  [...document.querySelectorAll('form[data-guard]')].some(({ elements }) => [...elements].some(isChanged))
