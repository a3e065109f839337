import { Alert, Button } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useState } from 'react'
import { choice } from '../data/api.ts'
import { canUsePasskeys, isCancelled, signInWithPasskey } from '../data/passkeys.ts'
import { useSession } from '../data/session.tsx'
import { errorText } from '../ui/error-text.ts'

export function PasskeyButton() {
  const { enter } = useSession()
  const [isWorking, setWorking] = useState(false)
  const [problem, setProblem] = useState<string>()
  if (!canUsePasskeys()) return null
  const signIn = async () => {
    setWorking(true)
    setProblem(undefined)
    try {
      await signInWithPasskey()
      choice.mode = 'test'
      await enter()
    } catch (error) {
      const isUnknown = (error as { status?: number }).status === 401
      if (isCancelled(error)) setProblem('No passkey was used. Try again or enter your password.')
      else setProblem(isUnknown ? 'Frontdesk does not know this passkey. Enter your password.' : errorText(error))
    } finally {
      setWorking(false)
    }
  }
  return (
    <>
      <Button variant="default" leftSection={<IconFingerprint size={16} />} loading={isWorking} onClick={signIn}>
        Sign in with a passkey
      </Button>
      {problem && (
        <Alert color="red" variant="light" role="alert" py="xs">
          {problem}
        </Alert>
      )}
    </>
  )
}
