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

interface Step {
  done: boolean
  to: string
  title: string
  text: string
}

/**
 * Whether the list of this mode is hidden. It stays reachable from the page's actions. Null for members who cannot take
 * the steps: going live needs those who manage the organization.
 */
export function useFirstSteps() {
  const me = useMe()
  const { mode } = useSession()
  // Null until a person decides: the list then hides itself once all steps are done.
  const [isHidden, setHidden] = useLocalStorage<boolean | null>({
    key: `first-steps-hidden-${me.organization.id}${mode === 'live' ? '-live' : ''}`,
    defaultValue: null,
    // Known without a request.
    getInitialValueInEffect: false,
  })
  if (mode === 'live' ? !mayManage(me) : !may(me, 'inbox:write')) return null
  return { isHidden, setHidden, title: mode === 'live' ? 'Go-live checklist' : 'First steps' }
}

/** The steps of a new organization: trying it in test mode, going live in live mode. */
export function FirstSteps() {
  const { mode } = useSession()
  const steps = useFirstSteps()
  if (!steps || steps.isHidden) return null
  return mode === 'live' ? <GoLiveSteps {...steps} /> : <TestSteps {...steps} />
}

type ListState = NonNullable<ReturnType<typeof useFirstSteps>>

/** A step is done when the API has its record. */
function TestSteps(state: ListState) {
  const me = useMe()
  const templates = useRecord(['templates', 'any'], (signal) => api.templates.list(one, { signal }))
  const tickets = useRecord(['tickets', 'any'], (signal) => api.inbox.listTickets(one, { signal }))
  const documents = useRecord(['documents'], (signal) => api.knowledge.listDocuments({ signal }))
  const calls = useRecord(['calls', 'any'], (signal) => api.calls.list(one, { signal }))
  // Members without permission to create keys do not see this step.
  const keys = useRecord(['keys', 'any'], (signal) => api.keys.list(one, { signal }), { enabled: mayManage(me) })
  const steps: Step[] = [
    {
      done: (tickets.data?.total ?? 0) > 0,
      to: '/inbox',
      title: 'Receive a test message',
      text: 'Write as a customer in the inbox, then reply. Messages stay on this machine.',
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
  return (
    <StepList
      {...state}
      steps={steps}
      answers={[templates, tickets, documents, calls, ...(mayManage(me) ? [keys] : [])]}
    />
  )
}

/** What an organization needs before customers write to it. */
function GoLiveSteps(state: ListState) {
  const me = useMe()
  const channels = useRecord(['channels', 'all'], (signal) => api.channels.list({ limit: 100 }, { signal }))
  const members = useRecord(['members', 'count'], (signal) => api.members.list({ limit: 1 }, { signal }))
  const agents = useRecord(['agents', 'active'], (signal) =>
    api.agents.list({ is_active: 'active', limit: 100 }, { signal }),
  )
  const numbers = channels.data?.data ?? []
  const active = new Set(agents.data?.data.map(({ id }) => id))
  const steps: Step[] = [
    {
      done: Boolean(me.user?.has_password || me.user?.uses_single_sign_on),
      to: '/settings/account',
      title: 'Set a password',
      text: 'So that you can sign in again without a link from your administrator.',
    },
    {
      done: numbers.some(({ status, chat, voice }) => status === 'active' && (chat !== null || voice !== null)),
      to: '/settings/channels',
      title: 'Connect a number',
      text: 'Connect your WhatsApp number or a phone number. Customers reach you there.',
    },
    {
      done: numbers.some(({ status, agent_id }) => status === 'active' && agent_id !== null && active.has(agent_id)),
      to: '/agents',
      title: 'Let an agent answer',
      text: 'Create an agent, or promote one from test mode, and choose it for your number. It must be active.',
    },
    {
      done: (members.data?.total_count ?? 0) > 1,
      to: '/settings/members',
      title: 'Invite a colleague',
      text: 'Someone should take over when an agent hands off.',
    },
  ]
  return <StepList {...state} steps={steps} answers={[channels, members, agents]} />
}

function StepList({
  steps,
  answers,
  title,
  isHidden,
  setHidden,
}: ListState & { steps: Step[]; answers: { data: unknown; error: unknown }[] }) {
  const doneCount = steps.filter(({ done }) => done).length
  const isKnown = answers.every(({ data }) => data)
  const isThrough = isKnown && isHidden === null && doneCount === steps.length
  useEffect(() => {
    if (isThrough) setHidden(true)
  }, [isThrough, setHidden])
  if (isThrough || answers.some(({ error, data }) => error && !data)) return null
  return (
    <Card withBorder mb="md" component="section" aria-labelledby="first-steps" aria-busy={!isKnown}>
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Title order={2} id="first-steps">
          {title}
        </Title>
        <Group gap="xs" wrap="nowrap">
          <Text size="sm" c="dimmed">
            {isKnown && `${doneCount} of ${steps.length}`}
          </Text>
          <Tooltip label="Hide">
            <ActionIcon
              variant="subtle"
              color="gray"
              onClick={() => setHidden(true)}
              aria-label={`Hide ${title.toLowerCase()}`}
            >
              <IconX size={16} />
            </ActionIcon>
          </Tooltip>
        </Group>
      </Group>
      <Progress value={(100 * doneCount) / steps.length} size="xs" mb="sm" aria-label={`${title}: completed`} />
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
