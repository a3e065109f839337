import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import { type ReactNode, useState } from 'react'
import { wordsOf } from './use-api-form.ts'

interface Question {
  title: string
  /** What happens then. */
  consequence: ReactNode
  /** The button's words: what it does, never just "OK". */
  action: string
  /** For what cannot be taken back and would hurt: to be typed first. */
  typed?: string
  isDangerous?: boolean
  act(): Promise<unknown>
  /** Said when it is done. */
  done?: string
}

/** Asks before something is done, stays open while it is done, and says what went wrong if it could not be. */
export function confirm(question: Question): void {
  const id = modals.open({
    title: question.title,
    children: <Confirmation question={question} close={() => modals.close(id)} />,
  })
}

function Confirmation({ question, close }: { question: Question; close(): void }) {
  const { consequence, action, typed, isDangerous = false, act, done } = question
  const [words, setWords] = useState('')
  const [isWorking, setWorking] = useState(false)
  const [problem, setProblem] = useState('')
  const submit = async () => {
    setWorking(true)
    setProblem('')
    try {
      await act()
      close()
      if (done) notifications.show({ message: done })
    } catch (error) {
      setProblem(wordsOf(error))
      setWorking(false)
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Stack gap="sm">
        <Text component="div">{consequence}</Text>
        {typed !== undefined && (
          <TextInput
            label={`Type “${typed}” to go on`}
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
            data-autofocus
          />
        )}
        {problem && (
          <Text c="red" size="sm" role="alert">
            {problem}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} data-autofocus={typed === undefined || undefined}>
            Not now
          </Button>
          <Button
            type="submit"
            color={isDangerous ? 'red' : undefined}
            loading={isWorking}
            disabled={typed !== undefined && words.trim() !== typed}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
