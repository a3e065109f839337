import { ApiError, type api as types } from '@frontdesk/sdk'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'
import { errorText } from '../ui/error-text.ts'
import { api, choice, type Mode, onSignedOut, renewApi, signInApi } from './api.ts'
import { onSuspended } from './queries.ts'
import { givenToken } from './url-token.ts'

/** The credential in the organization that this tab works in. */
type Here = types.Me & { organization: NonNullable<types.Me['organization']> }

interface Session {
  /** Undefined while signed out, null until the service has answered. */
  me: Here | undefined | null
  /** Why the session could not be loaded. */
  problem: unknown
  mode: Mode
  /** Loads the signed-in member again, after signing in. */
  enter(): Promise<void>
  leave(): Promise<void>
  chooseMode(mode: Mode): void
  chooseOrganization(id: string): void
}

interface SignOutWork {
  /** Awaited before the session ends. */
  before?(): Promise<void>
  /** The session has ended, also by expiry: what the member wrote is not for the next one at this browser. */
  after(): void
}
const signOutWork: SignOutWork[] = []
/** This module knows no pages. They register their part of signing out. */
export const onSignOut = (work: SignOutWork) => void signOutWork.push(work)

const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession is called outside of SessionProvider')
  return session
}

/** The signed-in member. */
export function useMe(): Here {
  const { me } = useSession()
  if (!me) throw new Error('useMe is called while signed out')
  return me
}

type Scope = types.Me['scopes'][number]

export const may = (me: types.Me, ...scopes: Scope[]) =>
  me.scopes.includes('full_access') || scopes.some((scope) => me.scopes.includes(scope))

/** Whether the member manages keys, channels and the organization itself. */
export const mayManage = (me: types.Me) => may(me, 'full_access')

/** Shows its children to members with this permission. */
export function IfMay({ scope, children }: { scope: Scope; children: ReactNode }) {
  return may(useMe(), scope) ? children : null
}

/** A member of several organizations works in one at a time: the one chosen last, else the first. */
async function whoAmI(): Promise<Here | undefined> {
  const ask = async () => {
    const me = await api.organization.getMe()
    if (me.organization) return { ...me, organization: me.organization }
    choose(me.organizations[0]?.id)
    return undefined
  }
  try {
    return (await ask()) ?? (await ask())
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 401) return undefined
    // The organization that was chosen last is not theirs any more.
    if (error.status !== 400 || choice.organizationId === undefined) throw error
    choose(undefined)
    return (await ask()) ?? (await ask())
  }
}

function choose(organizationId: string | undefined): void {
  choice.organizationId = organizationId
  renewApi()
}

export function SessionProvider({ children }: { children: ReactNode }) {
  const [me, setMe] = useState<Here | undefined | null>(null)
  const [problem, setProblem] = useState<unknown>()
  const [mode, setMode] = useState<Mode>(choice.mode)
  const queries = useQueryClient()

  const enter = useCallback(async () => {
    renewApi()
    setMode(choice.mode)
    try {
      setMe(await whoAmI())
      setProblem(undefined)
    } catch (error) {
      setProblem(error)
      throw error
    }
  }, [])

  useEffect(() => {
    onSignedOut(() => {
      for (const { after } of signOutWork) after()
      // The next member to sign in must not see these records.
      queries.clear()
      setMe(undefined)
    })
    onSuspended(() => setMe((current) => current && { ...current, is_suspended: true, scopes: [] }))
    // Sign-in links and invitations are handled by the sign-in page.
    if (givenToken) {
      if (givenToken.kind !== 'sign-in') setMe(undefined)
      return
    }
    enter().catch(() => {})
  }, [enter, queries])

  const session = useMemo<Session>(
    () => ({
      me,
      problem,
      mode,
      enter,
      async leave() {
        await Promise.all(signOutWork.map(({ before }) => before?.()))
        await signInApi.signIn.logout({}).catch(() => {})
        // Campaign drafts and requests without a response are not for the next member at this browser.
        sessionStorage.clear()
        for (const { after } of signOutWork) after()
        queries.clear()
        setMe(undefined)
      },
      chooseMode(next) {
        choice.mode = next
        renewApi()
        // The cached records belong to the other mode.
        queries.clear()
        setMode(next)
      },
      chooseOrganization(id) {
        const before = choice.organizationId
        choice.organizationId = id
        queries.clear()
        enter().catch((error: unknown) => {
          choice.organizationId = before
          renewApi()
          notifications.show({ color: 'red', message: errorText(error) })
        })
      },
    }),
    [me, problem, mode, enter, queries],
  )
  return <SessionContext value={session}>{children}</SessionContext>
}
