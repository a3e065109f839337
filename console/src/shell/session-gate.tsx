import { ApiError } from '@frontdesk/sdk'
import { Center } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { choice, signInApi } from '../data/api.ts'
import { needsCode } from '../data/api-errors.ts'
import { useSession } from '../data/session.tsx'
import { givenToken } from '../data/url-token.ts'
import { ErrorState } from '../ui/states.tsx'
import { RemoveSkeleton } from './remove-skeleton.tsx'

// Members who are signed in do not load these.
const SignIn = lazy(async () => ({ default: (await import('./sign-in.tsx')).SignIn }))
const Invitation = lazy(async () => ({ default: (await import('./sign-in.tsx')).Invitation }))
const PasswordReset = lazy(async () => ({ default: (await import('./password-reset.tsx')).PasswordReset }))
const SecondFactorForm = lazy(async () => ({ default: (await import('./second-factor.tsx')).SecondFactorForm }))
const Suspended = lazy(async () => ({ default: (await import('./suspended.tsx')).Suspended }))
const SecondFactorSetup = lazy(async () => ({ default: (await import('./second-factor.tsx')).SecondFactorSetup }))

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
  const { token, message, enterWith } = useUrlToken()
  const [isEntering, setEntering] = useState(token?.kind === 'invitation' || token?.kind === 'reset-password')
  if (isEntering && token) {
    const Form = token.kind === 'invitation' ? Invitation : PasswordReset
    return <Form token={token.value} done={() => setEntering(false)} />
  }
  // The service did not answer, so the session may still be valid: offer a retry instead of the password form.
  if (me === null && problem)
    return (
      <Center component="main" mih="100vh">
        <RemoveSkeleton />
        <ErrorState error={problem} retry={() => void enter().catch(() => {})} />
      </Center>
    )
  if (enterWith) return <SecondFactorForm enterWith={enterWith} />
  // The skeleton of index.html is still there.
  if (me === null || token?.kind === 'sign-in') return null
  if (!me) return <SignIn message={message} />
  // Operators still reach the page of the installation, where a suspension is lifted.
  if (me.is_suspended && !me.is_operator) return <Suspended />
  return me.user?.needs_second_factor ? <SecondFactorSetup /> : children
}

/** Exchanges a sign-in link for a session, once. */
function useUrlToken() {
  const { enter } = useSession()
  const [token, setToken] = useState(givenToken)
  const [message, setMessage] = useState(token?.kind === 'sign-in-error' ? signOnProblem(token.value) : undefined)
  const [enterWith, setEnterWith] = useState<(code: string) => Promise<void>>()
  useEffect(() => {
    if (token?.kind !== 'sign-in') return
    void spendLink(token.value).then(async ({ problem, isCodeMissing }) => {
      if (isCodeMissing) {
        setEnterWith(() => async (code: string) => {
          // biome-ignore lint/correctness/useHookAtTopLevel: an operation of the API, not a hook of React
          await signInApi.signIn.useLink({ token: token.value, code })
          choice.mode = 'test'
          await enter()
          setToken(undefined)
          setEnterWith(undefined)
        })
        return
      }
      if (problem) setMessage(problem)
      else choice.mode = 'test'
      // The member may still be signed in although the link was already used.
      await enter().catch(() => {})
      setToken(undefined)
    })
  }, [token, enter])
  return { token, message, enterWith }
}

const signOnProblems: Record<string, string> = {
  denied: 'Your identity provider did not sign you in. You may have cancelled, or your account may not use this app.',
  expired: 'The sign-in took too long. Try again.',
  mismatch: 'This sign-in was started in another browser or window. Try again here.',
  not_admitted:
    'Your account is not a member here. Ask an administrator to invite your email address. Your identity provider must have verified it.',
  unavailable: 'Your identity provider does not answer. Try again in a few minutes.',
  too_many: 'Too many attempts. Try again in a minute.',
}

const signOnProblem = (code: string) =>
  signOnProblems[code] ?? 'Signing in with your identity provider failed. Ask an administrator to look at the log.'

interface Spent {
  /** An error message; undefined on success. */
  problem?: string
  isCodeMissing?: boolean
}

const refusedLink =
  'This sign-in link was already used or has expired. Create a new one as shown below, or use your password.'

const spent = new Map<string, Promise<Spent>>()

/** Each link is exchanged once, however often this is called. */
function spendLink(token: string): Promise<Spent> {
  const running = spent.get(token)
  if (running) return running
  // biome-ignore lint/correctness/useHookAtTopLevel: an operation of the API, not a hook of React
  const spending = signInApi.signIn.useLink({ token }).then(
    () => ({}),
    (error) => {
      if (needsCode(error)) return { isCodeMissing: true }
      const isRefused = error instanceof ApiError && [401, 422].includes(error.status)
      return { problem: isRefused ? refusedLink : error.message }
    },
  )
  spent.set(token, spending)
  return spending
}
