import { call, send, session } from './api.js'
import { commandLine, h, openDialog, toast } from './dom.js'
import { form } from './form.js'

const newPasswordHint = 'At least 12 characters'

function show(app, title, ...children) {
  document.title = `${title} · Frontdesk`
  const brand = h('p', { class: 'brand' }, h('img', { src: '/assets/favicon.svg', alt: '', width: 24 }), 'Frontdesk')
  app.replaceChildren(h('main', { class: 'door' }, brand, h('h1', {}, title), ...children))
  app.querySelector('input').focus()
}

/** E-mail and password, and how to get in without one. */
export function signInPage(app, enter, message) {
  show(
    app,
    'Sign in',
    message && h('p', { class: 'notice', role: 'alert' }, message),
    form({
      fields: [
        { name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username' },
        { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' },
      ],
      button: 'Sign in',
      working: 'Signing in…',
      guard: false,
      async submit({ email, password }) {
        await send('POST', 'auth/login', { email, password })
        await enter()
      },
      explain: ({ status }) => status === 401 && ['This e-mail and password do not go together.'],
    }),
    h('p', { class: 'muted' }, 'No password yet? Make a sign-in link on the machine that runs Frontdesk:'),
    commandLine('npx frontdesk sign-in-link'),
  )
}

/** Answers what went wrong, if anything: a link works once, for a quarter of an hour. */
export async function signInByLink(token) {
  try {
    await send('POST', 'auth/link', { token })
    session.mode = 'test'
    return undefined
  } catch (error) {
    if (error.status !== 401 && error.status !== 422) return error.message
    return 'This sign-in link was used already or has expired. Make a new one as shown below, or use your password.'
  }
}

/** A colleague joins: somebody new chooses a password, somebody known gives theirs. */
export function invitationPage(app, token, enter) {
  const refusals = {
    401: 'This e-mail already has an account here: give its present password.',
    404: 'This invitation was used, withdrawn, or is more than 7 days old. Ask for a new one.',
  }
  show(
    app,
    'Join your colleagues',
    h('p', { class: 'muted' }, 'You were invited. Say who you are and choose a password to sign in with.'),
    form({
      fields: [
        { name: 'name', label: 'Your name', autocomplete: 'name' },
        {
          name: 'password',
          label: 'Password',
          type: 'password',
          autocomplete: 'new-password',
          hint: `${newPasswordHint}; if you already sign in here, your present one`,
        },
      ],
      button: 'Join',
      working: 'Joining…',
      guard: false,
      async submit({ name, password }) {
        const { organization } = await send('POST', 'invitations/accept', {
          token,
          name,
          password: password || undefined,
        })
        session.mode = 'test'
        session.organizationId = organization.id
        await enter()
      },
      explain: ({ status }) => refusals[status] && [refusals[status]],
    }),
  )
}

export function openPasswordDialog() {
  const dialog = openDialog(
    'Set or change your password',
    form({
      fields: [
        {
          name: 'current_password',
          label: 'Current password',
          type: 'password',
          autocomplete: 'current-password',
          hint: 'Not needed if you have none yet, or have just come by a sign-in link',
        },
        {
          name: 'new_password',
          label: 'New password',
          type: 'password',
          autocomplete: 'new-password',
          hint: `${newPasswordHint}. You stay signed in here and are signed out everywhere else.`,
        },
      ],
      button: 'Save password',
      working: 'Saving…',
      guard: false,
      async submit({ current_password, new_password }) {
        await call('POST', 'auth/password', { current_password: current_password || undefined, new_password })
        dialog.close()
        toast('Your password is saved')
      },
    }),
  )
}
