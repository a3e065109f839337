/** A token in the URL fragment, which no server sees. It is removed from the address bar at once. */

interface UrlToken {
  /** `sign-in-error` is the reason why the identity provider signed no one in. */
  kind: 'sign-in' | 'sign-in-error' | 'reset-password' | 'invitation'
  value: string
}

const form = /^#(sign-in|sign-in-error|reset-password|invitation)=([\w-]+)$/

function takeToken(): UrlToken | undefined {
  const [, kind, value] = form.exec(location.hash) ?? []
  if (!value) return undefined
  history.replaceState(null, '', location.pathname + location.search)
  return { kind: kind as UrlToken['kind'], value }
}

export const givenToken = takeToken()

// Opening a link in a tab that shows the console changes only the fragment, without a page load.
addEventListener('hashchange', () => {
  if (form.test(location.hash)) location.reload()
})
