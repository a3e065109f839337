import { Center } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useSession } from '../data/session.tsx'
import { ErrorState } from '../ui/states.tsx'
import { RemoveSkeleton } from './remove-skeleton.tsx'
import { Invitation, SignIn, useUrlToken } from './sign-in.tsx'

/** Shows its children to a signed-in member, and the sign-in or invitation form to everyone else. */
export function SessionGate({ children }: { children: ReactNode }) {
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
