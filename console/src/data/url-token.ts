/** What an address brought along behind its `#`, where no server ever sees it. It is taken off the address at once. */

export interface DoorToken {
  kind: 'link' | 'invitation'
  value: string
}

const form = /^#(sign-in|invitation)=([\w-]+)$/

function takeToken(): DoorToken | undefined {
  const [, kind, value] = form.exec(location.hash) ?? []
  if (!value) return undefined
  history.replaceState(null, '', location.pathname + location.search)
  return { kind: kind === 'sign-in' ? 'link' : 'invitation', value }
}

export const givenToken = takeToken()

// A link that is opened in a tab where the console is open already changes the address without loading it again.
addEventListener('hashchange', () => {
  if (form.test(location.hash)) location.reload()
})
