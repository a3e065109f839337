import { ApiError, type api as types } from '@frontdesk/sdk'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'
import { errorText } from '../ui/error-text.ts'
import { api, atTheDoor, choice, type Mode, onSignedOut, renewApi } from './api.ts'
import { givenToken } from './url-token.ts'

interface Session {
  /** Undefined while nobody is signed in, null while we do not know yet. */
  me: types.Me | undefined | null
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
export function useMe(): types.Me {
  const { me } = useSession()
  if (!me) throw new Error('nobody is signed in')
  return me
}

export const mayManage = (me: types.Me) => me.user?.role === 'owner' || me.user?.role === 'admin'

/** Somebody who belongs to several organizations has to name one before anything else is answered. */
async function whoAmI(): Promise<types.Me | undefined> {
  try {
    return await api.organization.getMe()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 401) return undefined
    if (error.status !== 400) throw error
  }
  const { organizations } = await atTheDoor.signIn.refresh({})
  choice.organizationId = organizations[0]?.id
  renewApi()
  return api.organization.getMe()
}

export function SessionProvider({ children }: { children: ReactNode }) {
  const [me, setMe] = useState<types.Me | undefined | null>(null)
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
          notifications.show({ color: 'red', message: errorText(error) })
        })
      },
    }),
    [me, problem, mode, enter, queries],
  )
  return <SessionContext value={session}>{children}</SessionContext>
}
