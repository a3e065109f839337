import { Center, Loader } from '@mantine/core'
import { useState } from 'react'
import { RouterProvider } from 'react-router/dom'
import { router } from './router.tsx'
import { useSession } from './session.tsx'
import { Invitation, SignIn, useDoorToken } from './sign-in.tsx'

export function App() {
  const { me } = useSession()
  const { token, message } = useDoorToken()
  const [isJoining, setJoining] = useState(token?.kind === 'invitation')
  if (isJoining && token) return <Invitation token={token.value} done={() => setJoining(false)} />
  if (me === null || token?.kind === 'link')
    return (
      <Center mih="100vh">
        <Loader aria-label="Loading" />
      </Center>
    )
  return me ? <RouterProvider router={router} /> : <SignIn message={message} />
}
