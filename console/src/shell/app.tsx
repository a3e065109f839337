import { Center, Loader } from '@mantine/core'
import { useState } from 'react'
import { RouterProvider } from 'react-router/dom'
import { useSession } from '../data/session.tsx'
import { router } from '../router.tsx'
import { ErrorState } from '../ui/states.tsx'
import { Invitation, SignIn, useDoorToken } from './sign-in.tsx'

export function App() {
  const { me, problem, enter } = useSession()
  const { token, message } = useDoorToken()
  const [isJoining, setJoining] = useState(token?.kind === 'invitation')
  if (isJoining && token) return <Invitation token={token.value} done={() => setJoining(false)} />
  // Whoever cannot be asked about may well be signed in: they need no password, but another try.
  if (me === null && problem)
    return (
      <Center component="main" mih="100vh">
        <ErrorState error={problem} retry={() => void enter().catch(() => {})} />
      </Center>
    )
  if (me === null || token?.kind === 'link')
    return (
      <Center mih="100vh">
        <Loader aria-label="Loading" />
      </Center>
    )
  return me ? <RouterProvider router={router} /> : <SignIn message={message} />
}
