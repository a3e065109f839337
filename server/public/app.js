import { onSignedOut, send, session, whoAmI } from './api.js'
import { contactsPage } from './contacts.js'
import { confirmed, currentRoute, h, linkTo, toast } from './dom.js'
import { hasUnsavedChanges } from './form.js'
import { overviewPage } from './overview.js'
import { invitationPage, openPasswordDialog, signInByLink, signInPage } from './sign-in.js'
import { tasksPage } from './tasks.js'

const pages = {
  overview: { title: 'Overview', open: overviewPage },
  contacts: { title: 'Contacts', open: contactsPage },
  tasks: { title: 'Tasks', open: tasksPage },
}

const app = document.getElementById('app')
let main
let shownPage
let update

/** Whoever arrives: by a link, by an invitation, with a session, or with none. */
async function arrive() {
  const [, kind, token] = /^#(sign-in|invitation)=(.*)$/.exec(location.hash) ?? []
  // Out of the address bar and the history before anything else happens.
  if (kind) history.replaceState(null, '', location.pathname)
  if (kind === 'invitation') return invitationPage(app, token, enter)
  const problem = kind && (await signInByLink(token))
  await enter(problem)
}

/** Shows the app to whoever has a session, and the door to everybody else. */
async function enter(problem) {
  try {
    await whoAmI()
  } catch (error) {
    if (error.status === 401) return signInPage(app, enter, problem)
    const retry = () => enter(problem)
    const button = h('button', { type: 'button', onclick: retry }, 'Try again')
    return app.replaceChildren(h('main', { class: 'door', role: 'alert' }, h('p', {}, error.message), button))
  }
  session.organizationId = session.me.organization.id
  if (problem) toast(`That link no longer works, but you are signed in as ${session.me.user.email}`)
  drawFrame()
}

onSignedOut(() => {
  if (main) signInPage(app, enter, 'Your session has ended. Sign in again to go on where you were.')
  main = undefined
})

function drawFrame() {
  main = h('main', { id: 'main', tabindex: '-1' })
  const links = Object.entries(pages).map(([page, { title }]) =>
    h('a', { href: linkTo(page), 'data-page': page }, title),
  )
  app.replaceChildren(
    h('a', { class: 'skip', href: '#main', onclick: skip }, 'Skip to content'),
    h(
      'header',
      { class: 'top' },
      h('a', { class: 'brand', href: '#/' }, h('img', { src: '/assets/favicon.svg', alt: 'Frontdesk', width: 24 })),
      organizationChoice(),
      modeChoice(),
      accountMenu(),
      session.mode === 'test' && h('p', { class: 'band' }, 'Test mode: nothing leaves this machine'),
    ),
    h('nav', { class: 'rail', 'aria-label': 'Pages' }, links),
    main,
  )
  shownPage = undefined
  show()
}

function skip(event) {
  event.preventDefault()
  main.focus()
}

function organizationChoice() {
  const { organization, organizations } = session.me
  if (organizations.length < 2) return h('span', { class: 'organization' }, organization.name)
  const change = async ({ target }) => {
    if (!(await mayLeave())) {
      target.value = organization.id
      return
    }
    session.organizationId = target.value
    leaveRecord()
    await enter()
  }
  const options = organizations.map(({ id, name }) =>
    h('option', { value: id, selected: id === organization.id }, name),
  )
  return h('select', { class: 'organization', 'aria-label': 'Organization', onchange: change }, options)
}

function modeChoice() {
  const choice = (mode) => {
    const change = async () => {
      if (!(await mayLeave())) return app.querySelector(`.modes [value=${session.mode}]`).click()
      session.mode = mode
      leaveRecord()
      drawFrame()
      app.querySelector('.modes input:checked').focus()
    }
    const checked = session.mode === mode
    const radio = h('input', { type: 'radio', name: 'mode', value: mode, checked, onchange: change })
    return h('label', {}, radio, mode === 'test' ? 'Test' : 'Live')
  }
  return h('fieldset', { class: 'modes' }, h('legend', {}, 'Mode'), choice('test'), choice('live'))
}

/** A record of one organization and mode means nothing in another: the page stays, the record closes. */
const leaveRecord = () => history.replaceState(null, '', linkTo(currentRoute().page))

function accountMenu() {
  const { user } = session.me
  const signOut = async () => {
    if (!(await mayLeave())) return
    try {
      await send('POST', 'auth/logout', {})
    } catch (error) {
      return toast(error.message)
    }
    session.organizationId = undefined
    session.mode = 'test'
    main = undefined
    history.replaceState(null, '', location.pathname)
    signInPage(app, enter)
  }
  const item = (label, run) => {
    const onclick = () => {
      menu.hidePopover()
      run()
    }
    return h('button', { type: 'button', class: 'quiet', onclick }, label)
  }
  const menu = h(
    'div',
    { id: 'account', popover: 'auto', class: 'menu' },
    h(
      'p',
      {},
      h('strong', {}, user.name || user.email),
      h('br'),
      h('span', { class: 'muted' }, user.email, ', ', user.role),
    ),
    item('Set or change password', openPasswordDialog),
    item('Sign out', signOut),
  )
  const initial = (user.name || user.email || '?').slice(0, 1).toUpperCase()
  return [
    h('button', { type: 'button', class: 'account', popovertarget: 'account', 'aria-label': 'Account' }, initial),
    menu,
  ]
}

const mayLeave = async () =>
  !hasUnsavedChanges() || confirmed('Leave without saving?', 'What you typed here will be lost.', 'Leave')

/** Pages that stay are told of the new address; others are built anew, and the focus moves to their heading. */
function show() {
  const route = currentRoute()
  const name = Object.hasOwn(pages, route.page) ? route.page : 'overview'
  const { title, open } = pages[name]
  document.title = `${title} · Frontdesk`
  for (const link of app.querySelectorAll('.rail a')) {
    if (link.dataset.page === name) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  if (shownPage === name && update) return update(route)
  shownPage = name
  main.className = `page-${name}`
  update = open(main, route)
  if (!route.id) main.querySelector('h1').focus({ preventScroll: true })
  scrollTo(0, 0)
}

addEventListener('hashchange', async ({ oldURL }) => {
  if (/^#(sign-in|invitation)=/.test(location.hash)) return arrive()
  if (!main) return
  if (hasUnsavedChanges()) {
    const wanted = location.href
    history.replaceState(null, '', oldURL)
    if (!(await mayLeave())) return
    for (const guarded of document.querySelectorAll('form[data-guard]')) guarded.removeAttribute('data-guard')
    history.replaceState(null, '', wanted)
  }
  show()
})

addEventListener('beforeunload', (event) => {
  if (main && hasUnsavedChanges()) event.preventDefault()
})

await arrive()
