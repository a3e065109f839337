import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, Alert, Anchor, Button, Center, Group, Loader, Text, Textarea } from '@mantine/core'
import { IconRefresh, IconSend } from '@tabler/icons-react'
import { type FormEvent, Fragment, useState } from 'react'
import { Link } from 'react-router'
import { api } from '../../../data/api.ts'
import { errorText } from '../../../ui/error-text.ts'
import { Bubble, Notice, TranscriptLog } from './transcript-log.tsx'

interface Turn {
  message: string
  answer?: types.AgentChatAnswer
  problem?: string
}

/** Conversations are kept while the tab is open. */
const kept = new Map<string, Turn[]>()

const actions = {
  handoff: 'Would hand off to a person',
  end_call: 'Would end the call',
  transfer: 'Would transfer the call',
}

/** A chat with the agent, with the same instructions, tools and documents as on calls. */
export function Write({ agentId, savedVersion }: { agentId: string; savedVersion: number }) {
  const [turns, setTurns] = useState<Turn[]>(kept.get(agentId) ?? [])
  const [text, setText] = useState('')
  const [isWaiting, setWaiting] = useState(false)
  const keep = (next: Turn[]) => {
    kept.set(agentId, next)
    setTurns(next)
  }
  const sessionId = turns.findLast(({ answer }) => answer)?.answer?.session_id

  async function send(message: string, before: Turn[]) {
    setWaiting(true)
    keep([...before, { message }])
    try {
      const answer = await api.agents.chatWith(agentId, { message, ...(sessionId && { session_id: sessionId }) })
      keep([...before, { message, answer }])
    } catch (error) {
      keep([...before, { message, problem: errorText(error) }])
    } finally {
      setWaiting(false)
    }
  }
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    const message = text.trim()
    if (!message || isWaiting) return
    setText('')
    void send(message, turns)
  }

  return (
    <>
      <TranscriptLog label="Conversation" watch={turns}>
        {turns.length === 0 && (
          <Center flex={1}>
            <Text size="sm" c="dimmed" ta="center" maw={280}>
              Write like a customer. The agent answers with its saved instructions, tools and documents.
            </Text>
          </Center>
        )}
        {turns.map(({ message, answer, problem }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: turns are only appended
          <Fragment key={index}>
            <Bubble kind="caller">{message}</Bubble>
            {answer?.tool_calls.map(({ name, result, is_error }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
              <Notice key={at} isError={is_error}>
                {is_error ? `${name} failed: ${result.slice(0, 200)}` : `Used ${name}`}
              </Notice>
            ))}
            {answer && <Bubble kind="agent">{answer.reply}</Bubble>}
            {answer && answer.choices.length > 0 && (
              <Group gap={6} aria-label="Choices" role="group">
                {answer.choices.map((choice) => (
                  <Button
                    key={choice}
                    size="compact-xs"
                    variant="default"
                    disabled={isWaiting}
                    onClick={() => void send(choice, turns)}
                  >
                    {choice}
                  </Button>
                ))}
              </Group>
            )}
            {answer && <Sources answer={answer} savedVersion={savedVersion} />}
            {problem && (
              <Alert color="red" variant="light" role="alert" py="xs">
                {problem}
                <Button
                  variant="subtle"
                  size="compact-xs"
                  ml="xs"
                  onClick={() => void send(message, turns.slice(0, index))}
                >
                  Try again
                </Button>
              </Alert>
            )}
          </Fragment>
        ))}
        {isWaiting && (
          <Bubble kind="agent">
            <Loader size="xs" type="dots" aria-label="The agent is typing" />
          </Bubble>
        )}
      </TranscriptLog>
      <form onSubmit={submit}>
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <Textarea
            aria-label="Write to the agent"
            placeholder="When are you open?"
            autosize
            minRows={1}
            maxRows={5}
            flex={1}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
                event.preventDefault()
                submit()
              }
            }}
          />
          <ActionIcon type="submit" size={36} aria-label="Send" disabled={!text.trim() || isWaiting}>
            <IconSend size={16} />
          </ActionIcon>
        </Group>
      </form>
      {turns.length > 0 && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          leftSection={<IconRefresh size={12} />}
          disabled={isWaiting}
          onClick={() => keep([])}
          style={{ alignSelf: 'center' }}
        >
          New conversation
        </Button>
      )}
    </>
  )
}

function Sources({ answer, savedVersion }: { answer: types.AgentChatAnswer; savedVersion: number }) {
  const { sources, action, agent_version } = answer
  // Each document is listed once, whatever the number of its passages.
  const documents = [...new Map(sources.map((source) => [source.document_id, source])).values()]
  if (documents.length === 0 && !action && agent_version === savedVersion) return null
  return (
    <Text size="xs" c="dimmed" component="div" px={4}>
      {documents.length > 0 && (
        <>
          Sources:{' '}
          {documents.map(({ document_id, file_name, page }, index) => (
            <Fragment key={document_id}>
              {index > 0 && ', '}
              <Anchor component={Link} to={`/knowledge/${document_id}`} size="xs">
                {file_name}
                {page ? `, page ${page}` : ''}
              </Anchor>
            </Fragment>
          ))}
        </>
      )}
      {action && (
        <div>
          {actions[action.type]}
          {action.reason ? `: ${action.reason}` : ''}
        </div>
      )}
      {agent_version !== savedVersion && <div>Answered by version {agent_version}</div>}
    </Text>
  )
}
