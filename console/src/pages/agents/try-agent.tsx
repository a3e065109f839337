import type { api as types } from '@frontdesk/sdk'
import { Card, SegmentedControl, Text } from '@mantine/core'
import { useSearchParams } from 'react-router'
import { variablesOf } from '../../records/calls/variable-fields.tsx'
import classes from './agents.module.css'
import { Write } from './talking/chat.tsx'
import { Talk } from './talking/talk.tsx'

/** Tries the saved agent by call or chat. */
export function TryAgent({ agent, isDirty }: { agent: types.Agent; isDirty: boolean }) {
  const [params, setParams] = useSearchParams()
  const way = params.get('by') === 'text' ? 'text' : 'voice'
  return (
    <Card withBorder className={classes.side} component="aside" aria-label="Try it" style={{ gap: 10 }}>
      <SegmentedControl
        aria-label="Try by"
        fullWidth
        value={way}
        onChange={(value) =>
          setParams(
            (now) => {
              if (value === 'text') now.set('by', 'text')
              else now.delete('by')
              return now
            },
            { replace: true },
          )
        }
        data={[
          { value: 'voice', label: 'Call' },
          { value: 'text', label: 'Chat' },
        ]}
      />
      {isDirty && (
        <Text size="xs" c="dimmed" ta="center">
          You are trying the saved version {agent.version}. Save your changes to try them.
        </Text>
      )}
      {way === 'text' ? (
        <Write key={agent.id} agentId={agent.id} savedVersion={agent.version} />
      ) : (
        <Talk
          key={agent.id}
          agentId={agent.id}
          isActive={agent.is_active === 'active'}
          variables={variablesOf(agent)}
        />
      )}
    </Card>
  )
}
