import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { EmptyState } from '../../ui/states.tsx'

/** Shown where messages would be sent and no number is connected to chat. */
export function NoChatNumber({ children }: { children: ReactNode }) {
  return (
    <EmptyState
      title="Connect a chat number first"
      action={
        <Button component={Link} to="/settings/channels">
          Go to channels
        </Button>
      }
    >
      {children}
    </EmptyState>
  )
}
