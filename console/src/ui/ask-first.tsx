import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { type FormEvent, type ReactNode, useState } from 'react'
import { errorText } from './error-text.ts'
import { showDone } from './undo.tsx'

interface Question {
  title: string
  /** What happens when the action is confirmed. */
  consequence: ReactNode
  /** The label of the button: a verb, not "OK". */
  action: string
  /** If it throws, the dialog stays open and shows the error. */
  run(): Promise<unknown>
  isHarmless?: boolean
  /** Notification after success. */
  done?: string
  /** Text to type for confirmation, for actions that cannot be undone. */
  typed?: string
}

/** Asks for confirmation and stays open until the action has succeeded. */
export function askFirst(question: Question): void {
  const modalId = `ask-${Date.now()}`
  const close = () => modals.close(modalId)
  modals.open({ modalId, title: question.title, children: <Ask {...question} close={close} />, centered: true })
}

function Ask({ consequence, action, run, isHarmless, done, typed, close }: Question & { close(): void }) {
  const [isWorking, setWorking] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [word, setWord] = useState('')
  async function submit(event: FormEvent) {
    event.preventDefault()
    setWorking(true)
    setProblem(undefined)
    try {
      await run()
      close()
      if (done) showDone(done)
    } catch (error) {
      setProblem(errorText(error))
      setWorking(false)
    }
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm" component="div">
          {consequence}
        </Text>
        {typed && (
          <TextInput
            label={`Type ${typed} to confirm`}
            value={word}
            onChange={(event) => setWord(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        {problem && (
          <Alert color="red" variant="light" role="alert" py="xs">
            {problem}
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} data-autofocus={!typed || undefined}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={isWorking}
            disabled={typed !== undefined && word.trim() !== typed}
            {...(!isHarmless && { color: 'red' })}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
