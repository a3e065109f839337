import {
  ActionIcon,
  Anchor,
  Card,
  Group,
  Progress,
  Skeleton,
  Stack,
  Text,
  ThemeIcon,
  Title,
  Tooltip,
} from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { may, mayManage, useMe, useSession } from '../../data/session.tsx'
import { useRecord } from '../../data/use-records.ts'

const one = { limit: 1 }

/** The steps of a new organization. A step is done when the API has its record. */
export function FirstSteps() {
  const me = useMe()
  const { organization } = me
  const { mode } = useSession()
  const [hidden, setHidden] = useLocalStorage({
    key: `first-steps-hidden-${organization.id}`,
    defaultValue: false,
    // Known without a request.
    getInitialValueInEffect: false,
  })
  const enabled = !hidden && mode === 'test' && may(me, 'inbox:write')
  const templates = useRecord(['templates', 'any'], (signal) => api.templates.list(one, { signal }), { enabled })
  const tickets = useRecord(['tickets', 'any'], (signal) => api.inbox.listTickets(one, { signal }), { enabled })
  const documents = useRecord(['documents'], (signal) => api.knowledge.listDocuments({ signal }), { enabled })
  const calls = useRecord(['calls', 'any'], (signal) => api.calls.list(one, { signal }), { enabled })
  // Members without permission to create keys do not see this step.
  const keys = useRecord(['keys', 'any'], (signal) => api.keys.list(one, { signal }), {
    enabled: enabled && mayManage(me),
  })
  const steps = [
    {
      done: (tickets.data?.total ?? 0) > 0,
      to: '/inbox',
      title: 'Receive a test message',
      text: 'Write as a customer in the inbox, then reply. Nothing leaves this machine.',
    },
    {
      done: (templates.data?.total ?? 0) > 0,
      to: '/templates/library',
      title: 'Create a message template',
      text: 'Add one from the library; it is approved at once. Campaigns and first messages need a template.',
    },
    {
      done: (documents.data?.documents.length ?? 0) > 0,
      to: '/knowledge',
      title: 'Add knowledge for your agents',
      text: 'Upload a price list or a handbook. Agents answer from it and cite the source.',
    },
    {
      done: (calls.data?.total_count ?? 0) > 0,
      to: '/agents',
      title: 'Talk to an agent',
      text: 'Create an agent and talk to it in this browser, or have it call a test number.',
    },
    ...(mayManage(me)
      ? [
          {
            done: (keys.data?.total_count ?? 0) > 0,
            to: '/developers/keys',
            title: 'Create an API key',
            text: 'Your code can do everything this console does.',
          },
        ]
      : []),
  ]
  const answers = [templates, tickets, documents, calls, ...(mayManage(me) ? [keys] : [])]
  const doneCount = steps.filter(({ done }) => done).length
  const isKnown = answers.every(({ data }) => data)
  const isThrough = isKnown && doneCount === steps.length
  // Once all steps are done they are not requested again.
  useEffect(() => {
    if (enabled && isThrough) setHidden(true)
  }, [enabled, isThrough, setHidden])
  if (!enabled || isThrough || answers.some(({ error, data }) => error && !data)) return null
  return (
    <Card withBorder mb="md" component="section" aria-labelledby="first-steps" aria-busy={!isKnown}>
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Title order={2} id="first-steps">
          First steps
        </Title>
        <Group gap="xs" wrap="nowrap">
          <Text size="sm" c="dimmed">
            {isKnown && `${doneCount} of ${steps.length}`}
          </Text>
          <Tooltip label="Hide">
            <ActionIcon variant="subtle" color="gray" onClick={() => setHidden(true)} aria-label="Hide first steps">
              <IconX size={16} />
            </ActionIcon>
          </Tooltip>
        </Group>
      </Group>
      <Progress value={(100 * doneCount) / steps.length} size="xs" mb="sm" aria-label="First steps completed" />
      <Stack gap="sm" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {steps.map(({ done, to, title, text }) => (
          <Group key={to} component="li" gap="sm" wrap="nowrap" align="flex-start">
            {isKnown ? (
              <ThemeIcon size={20} radius="xl" variant={done ? 'filled' : 'default'} aria-hidden mt={1}>
                {done && <IconCheck size={14} />}
              </ThemeIcon>
            ) : (
              <Skeleton circle height={20} mt={1} />
            )}
            <div>
              {done ? (
                <Text size="md" c="dimmed" td="line-through">
                  {title} <span className="sr-only">(done)</span>
                </Text>
              ) : (
                <Anchor component={Link} to={to} fw={600}>
                  {title}
                </Anchor>
              )}
              {/* Also for completed steps, so that the page does not jump when the state is loaded. */}
              <Text size="sm" c="dimmed">
                {text}
              </Text>
            </div>
          </Group>
        ))}
      </Stack>
    </Card>
  )
}
