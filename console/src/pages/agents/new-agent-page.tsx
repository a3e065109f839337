import { Group, Text, UnstyledButton } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { api } from '../../data/api.ts'
import { useMe, useSession } from '../../data/session.tsx'
import { useApiForm } from '../../data/use-api-form.ts'
import { RecordPage } from '../../ui/record-page.tsx'
import { useUnsavedGuard } from '../../ui/unsaved.tsx'
import { AgentEditor } from './agent-editor.tsx'
import { checkValues, fieldOf } from './agent-problems.ts'
import { inputOf, newValues } from './agent-values.ts'
import classes from './agents.module.css'
import { type StartingPoint, startingPoints } from './starting-points.ts'

export function NewAgentPage() {
  const navigate = useNavigate()
  const { organization } = useMe()
  const { mode } = useSession()
  const [points] = useState(() => startingPoints(organization.name))
  const [chosen, setChosen] = useState<string>()
  const [created, setCreated] = useState<string>()
  const form = useApiForm({
    initialValues: newValues(),
    check: checkValues,
    fieldOf,
    async submit(values) {
      const agent = await api.agents.create(inputOf(values))
      setCreated(agent.id)
    },
  })
  useUnsavedGuard(form.isDirty && !created)
  // The unsaved-changes guard has to see the saved form first.
  useEffect(() => {
    if (created && !form.isDirty) void navigate(`/agents/${created}`, { replace: true })
  }, [created, form.isDirty, navigate])
  const choose = ({ id, values }: StartingPoint) => {
    if (form.isDirty && !window.confirm('Start over from this template? Your changes will be lost.')) return
    setChosen(id)
    form.reset({ ...newValues(), ...values })
  }
  return (
    <RecordPage list={{ to: '/agents', label: 'Agents' }} title="New agent">
      <fieldset className={classes.points}>
        <Text size="sm" fw={600} mb="xs" component="legend">
          Start from
        </Text>
        {points.map((point) => (
          <UnstyledButton
            key={point.id}
            className={classes.point}
            aria-pressed={chosen === point.id}
            onClick={() => choose(point)}
          >
            <Group gap="xs" mb={4}>
              <point.icon size={18} stroke={1.6} aria-hidden />
              <Text fw={600} span>
                {point.title}
              </Text>
            </Group>
            <Text size="sm" c="dimmed">
              {point.text}
            </Text>
          </UnstyledButton>
        ))}
      </fieldset>
      {chosen && (
        <div style={{ maxWidth: 860, marginTop: 16 }}>
          <AgentEditor key={chosen} form={form} isTest={mode === 'test'} saveLabel="Create agent" />
        </div>
      )}
    </RecordPage>
  )
}
