import { call } from './api.js'
import { h, load, toast } from './dom.js'

export const stages = ['new', 'engaged', 'qualified', 'customer', 'lost']

/** Some people are known by their number only, and some by their chat account only. */
export const nameOf = ({ name, phone_number }) => name || phone_number || 'No name'

/** A dot and a word: colour alone says nothing to many people. */
export const stageLabel = (stage) => h('span', { class: `stage ${stages.includes(stage) ? stage : ''}` }, stage)

/**
 * A list that grows page by page. `frame` makes what holds the rows and says where they go, `row` makes one, `empty`
 * says what to do when there are none, and `tell` is told how many are shown and how many there are.
 */
export async function pagedList(place, { path, query, frame, row, empty, tell, arrange = (rows) => rows }, options) {
  const fetchPage = (more = {}) => call('GET', `${path}?${new URLSearchParams({ limit: 50, ...query, ...more })}`)
  await load(
    place,
    async (isWanted) => {
      const first = await fetchPage()
      if (isWanted()) tell(first.data.length, first.total_count)
      if (first.data.length === 0) return empty()
      const { element, rows } = frame()
      rows.append(...arrange(first.data, first.has_more).map(row))
      if (!first.has_more) return element
      return [element, moreButton(rows, first.next_cursor)]
    },
    options,
  )

  function moreButton(rows, cursor) {
    let next = cursor
    const button = h('button', { type: 'button', class: 'more' }, 'Load more')
    button.addEventListener('click', async () => {
      if (button.getAttribute('aria-disabled')) return
      button.setAttribute('aria-disabled', 'true')
      try {
        const page = await fetchPage({ starting_after: next })
        if (!button.isConnected) return
        const added = page.data.map(row)
        rows.append(...added)
        next = page.next_cursor
        tell(rows.children.length, page.total_count)
        if (!page.has_more) {
          added[0]?.querySelector('a, button, input')?.focus()
          button.remove()
        }
      } catch (error) {
        toast(error.message)
      }
      button.removeAttribute('aria-disabled')
    })
    return button
  }
}
