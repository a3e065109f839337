import { Anchor, Button, Group } from '@mantine/core'
import { Link } from 'react-router'
import { EmptyState } from '../ui/states.tsx'
import { useSession } from './session.tsx'

/** No record has this ID in the chosen mode. The other mode may have it: test and live keep separate records. */
export function MissingRecord({ what }: { what: string }) {
  const { mode, chooseMode } = useSession()
  const other = mode === 'test' ? 'live' : 'test'
  return (
    <EmptyState
      title={`${what} not found`}
      action={
        <Group>
          <Button variant="default" onClick={() => chooseMode(other)}>
            Switch to {other} mode
          </Button>
          <Anchor component={Link} to="/">
            Go to the dashboard
          </Anchor>
        </Group>
      }
    >
      It may have been deleted, or it belongs to {other} mode.
    </EmptyState>
  )
}
