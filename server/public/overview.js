import { call, session } from './api.js'
import { commandLine, emptyState, h, linkTo, load, openDialog } from './dom.js'
import { form } from './form.js'
import { openPasswordDialog } from './sign-in.js'

export function overviewPage(main) {
  const figures = h('div', { class: 'figures' })
  main.replaceChildren(h('h1', { tabindex: '-1' }, 'Overview'), figures, nextSteps())
  void load(figures, async () => {
    const { contacts, handling, tasks } = await call('GET', 'crm/dashboard')
    return [
      contacts.total === 0 &&
        emptyState(
          `There are no contacts in ${session.mode} mode yet: the people your organization talks to.`,
          linkTo('contacts', 'new'),
          'Add the first contact',
        ),
      group('Contacts', [
        [contacts.total, 'in all', linkTo('contacts')],
        [contacts.new, 'new', linkTo('contacts', '', { stage: 'new' })],
        [contacts.engaged, 'engaged', linkTo('contacts', '', { stage: 'engaged' })],
        [contacts.qualified, 'qualified', linkTo('contacts', '', { stage: 'qualified' })],
        [contacts.customers, 'customers', linkTo('contacts', '', { stage: 'customer' })],
        [contacts.lost, 'lost', linkTo('contacts', '', { stage: 'lost' })],
      ]),
      group('Handled by', [
        [handling.ai, 'AI', linkTo('contacts', '', { ai_handling: true })],
        [handling.human, 'people', linkTo('contacts', '', { ai_handling: false })],
      ]),
      group('Tasks', [
        [tasks.pending, 'pending', linkTo('tasks')],
        [tasks.overdue, 'overdue', linkTo('tasks', '', { view: 'overdue' }), tasks.overdue > 0 && 'warn'],
      ]),
    ].filter(Boolean)
  })
}

const group = (title, cards) =>
  h(
    'section',
    {},
    h('h2', {}, title),
    h(
      'ul',
      { class: 'cards' },
      cards.map(([count, label, href, meaning]) =>
        h(
          'li',
          {},
          h(
            'a',
            { href, class: meaning || null },
            h('strong', {}, count.toLocaleString('en')),
            ' ',
            h('span', {}, label),
          ),
        ),
      ),
    ),
  )

/** What a newcomer does first; keys and people are the business of owners and admins. */
function nextSteps() {
  const manages = session.me.user.role !== 'member'
  const button = (label, onclick) => h('button', { type: 'button', onclick }, label)
  return h(
    'section',
    { class: 'steps' },
    h('h2', {}, 'Next steps'),
    h(
      'ul',
      {},
      manages && h('li', {}, 'Call the API with a key of your own.', ' ', button('Make an API key', openKeyDialog)),
      h('li', {}, 'Sign in without a link next time.', ' ', button('Set a password', openPasswordDialog)),
      manages && h('li', {}, 'Work on this together.', ' ', button('Invite a colleague', openInvitationDialog)),
      h('li', {}, 'See what the API can do. ', h('a', { href: '/docs' }, 'API documentation')),
    ),
  )
}

function openKeyDialog() {
  const { organization, organizations } = session.me
  const choice = organizations.length > 1 ? ` --organization ${organization.id}` : ''
  const mode = session.mode === 'live' ? ' --mode live' : ''
  openDialog(
    'Make an API key',
    h('p', {}, `On the machine that runs Frontdesk, this makes a ${session.mode} key and shows it once:`),
    commandLine(`npx frontdesk key create${choice}${mode}`),
    h(
      'p',
      {},
      'Send it as “Authorization: Bearer …”. ',
      h('a', { href: '/docs' }, 'The API documentation'),
      ' has the rest.',
    ),
  )
}

function openInvitationDialog() {
  const roles = session.me.user.role === 'owner' ? ['member', 'admin', 'owner'] : ['member', 'admin']
  const dialog = openDialog(
    'Invite a colleague',
    form({
      fields: [
        { name: 'email', label: 'E-mail', type: 'email' },
        {
          name: 'role',
          label: 'Role',
          options: roles.map((role) => [role, role]),
          value: 'member',
          hint: 'Members do the daily work; admins and owners also manage keys, channels and people',
        },
      ],
      button: 'Make an invitation',
      working: 'Making it…',
      guard: false,
      async submit({ email, role }, element) {
        const { link } = await call('POST', 'invitations', { email, role })
        element.replaceWith(
          h('p', { role: 'status' }, `Send this link to ${email}. It works once, for 7 days, and is shown only now:`),
          commandLine(link),
        )
        dialog.querySelector('.command button').focus()
      },
    }),
  )
}
