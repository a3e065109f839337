import { Button, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useMe, useSession } from '../data/session.tsx'
import { errorText } from '../ui/error-text.ts'
import { SignInFrame } from './sign-in-frame.tsx'
import { WaysOut } from './ways-out.tsx'

/** In place of every page of a suspended organization. */
export function Suspended() {
  const { organization } = useMe()
  const { enter } = useSession()
  const [isWorking, setWorking] = useState(false)
  const look = () => {
    setWorking(true)
    enter()
      .catch((error: unknown) => notifications.show({ color: 'red', message: errorText(error) }))
      .finally(() => setWorking(false))
  }
  return (
    <SignInFrame title="Organization suspended">
      <Text size="sm">
        <bdi>{organization.name}</bdi> is suspended. Campaigns, agents, webhooks and calls are stopped. Messages that
        customers send are kept.
      </Text>
      <Text size="sm" c="dimmed">
        Ask the operator of this service to lift the suspension.
      </Text>
      <Button variant="default" loading={isWorking} onClick={look}>
        Check again
      </Button>
      <WaysOut />
    </SignInFrame>
  )
}
