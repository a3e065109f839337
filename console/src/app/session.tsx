import { ApiError, type api as types } from '@frontdesk/sdk'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'
import { wordsOf } from '../parts/use-api-form.ts'
import { api, atTheDoor, choice, type Mode, onSignedOut, renewApi } from './api.ts'
import { givenToken } from './door-token.ts'

/** The credential in the organization that this tab works in. */
type Here = types.Me & { organization: NonNullable<types.Me['organization']> }

interface Session {
  /** Undefined while nobody is signed in, null while we do not know yet. */
  me: Here | undefined | null
  /** Why we could not learn who is here. */
  problem: unknown
  mode: Mode
  /** Asks again who is here, after somebody came in. */
  enter(): Promise<void>
  leave(): Promise<void>
  chooseMode(mode: Mode): void
  chooseOrganization(id: string): void
}

const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('outside of a session')
  return session
}

/** The person who is signed in. */
export function useMe(): Here {
  const { me } = useSession()
  if (!me) throw new Error('nobody is signed in')
  return me
}

export const mayManage = (me: types.Me) => me.user?.role === 'owner' || me.user?.role === 'admin'

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
      // The next person here may be somebody else.
      queries.clear()
      setMe(undefined)
    })
    // Whoever comes with a link or an invitation is asked for by the door.
    if (givenToken) {
      if (givenToken.kind === 'invitation') setMe(undefined)
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
        await atTheDoor.signIn.logout({}).catch(() => {})
        queries.clear()
        setMe(undefined)
      },
      chooseMode(next) {
        choice.mode = next
        renewApi()
        // What is on screen belongs to the other world.
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
          notifications.show({ color: 'red', message: wordsOf(error) })
        })
      },
    }),
    [me, problem, mode, enter, queries],
  )
  return <SessionContext value={session}>{children}</SessionContext>
}
