import { ApiError } from '@frontdesk/sdk'
import { Center } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { choice, signInApi } from '../data/api.ts'
import { useSession } from '../data/session.tsx'
import { givenToken } from '../data/url-token.ts'
import { ErrorState } from '../ui/states.tsx'
import { RemoveSkeleton } from './remove-skeleton.tsx'

// Members who are signed in do not load these.
const SignIn = lazy(async () => ({ default: (await import('./sign-in.tsx')).SignIn }))
const Invitation = lazy(async () => ({ default: (await import('./sign-in.tsx')).Invitation }))

/** Shows its children to a signed-in member, and the sign-in or invitation form to everyone else. */
export function SessionGate({ children }: { children: ReactNode }) {
  // The skeleton of index.html stays until the form is loaded.
  return (
    <Suspense>
      <Gate>{children}</Gate>
    </Suspense>
  )
}

function Gate({ children }: { children: ReactNode }) {
  const { me, problem, enter } = useSession()
  const { token, message } = useUrlToken()
  const [isJoining, setJoining] = useState(token?.kind === 'invitation')
  if (isJoining && token) return <Invitation token={token.value} done={() => setJoining(false)} />
  // The service did not answer, so the session may still be valid: offer a retry instead of the password form.
  if (me === null && problem)
    return (
      <Center component="main" mih="100vh">
        <RemoveSkeleton />
        <ErrorState error={problem} retry={() => void enter().catch(() => {})} />
      </Center>
    )
  // The skeleton of index.html is still there.
  if (me === null || token?.kind === 'link') return null
  return me ? children : <SignIn message={message} />
}

/** Exchanges a sign-in link for a session, once. */
function useUrlToken() {
  const { enter } = useSession()
  const [token, setToken] = useState(givenToken)
  const [message, setMessage] = useState<string>()
  useEffect(() => {
    if (token?.kind !== 'link') return
    void spendLink(token.value).then(async (problem) => {
      if (problem) setMessage(problem)
      else choice.mode = 'test'
      // The member may still be signed in although the link was already used.
      await enter().catch(() => {})
      setToken(undefined)
    })
  }, [token, enter])
  return { token, message }
}

const spent = new Map<string, Promise<string | undefined>>()

/** Returns an error message, or undefined on success. Each link is exchanged once, however often this is called. */
function spendLink(token: string): Promise<string | undefined> {
  const running = spent.get(token)
  if (running) return running
  // biome-ignore lint/correctness/useHookAtTopLevel: an operation of the API, not a hook of React
  const spending = signInApi.signIn.useLink({ token }).then(
    () => undefined,
    (error) =>
      error instanceof ApiError && [401, 422].includes(error.status)
        ? 'This sign-in link was already used or has expired. Create a new one as shown below, or use your password.'
        : error.message,
  )
  spent.set(token, spending)
  return spending
}
