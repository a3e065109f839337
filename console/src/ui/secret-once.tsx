import { Alert, Button, Checkbox, Code, Group, Modal, Stack, Text } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useCopy } from './use-copy.ts'
import { useLast } from './use-last.ts'

/** A secret that is shown once. It cannot be closed by accident: a checkbox confirms that it is stored. */
export function SecretOnce({
  title,
  what,
  secret,
  children,
  onStored,
}: {
  title: string
  /** What it is, as in "Copy key". */
  what: string
  secret: string | null | undefined
  children?: ReactNode
  onStored(): void
}) {
  const shown = useLast(secret)
  return (
    <Modal
      opened={secret !== undefined}
      onClose={() => {}}
      title={title}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      size="lg"
      centered
    >
      {shown !== undefined && <Shown key={shown} what={what} secret={shown} note={children} onStored={onStored} />}
    </Modal>
  )
}

interface ShownProps {
  what: string
  secret: string | null
  note: ReactNode
  onStored(): void
}

function Shown({ what, secret, note, onStored }: ShownProps) {
  const [isStored, setStored] = useState(false)
  const { copied, copy } = useCopy(secret ?? '')
  if (secret === null)
    return (
      <Stack>
        <Alert color="yellow" variant="light">
          It was created, but the response was lost and the {what} cannot be shown again. Roll it to get a new one.
        </Alert>
        <Button onClick={onStored}>Close</Button>
      </Stack>
    )
  return (
    <Stack gap="sm">
      <Text size="sm">You will not see this again. Store it in a safe place, not in source control.</Text>
      <Code block tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} data-secret>
        {secret}
      </Code>
      {note}
      <Button
        variant="default"
        onClick={copy}
        leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
        data-autofocus
      >
        {copied ? 'Copied' : `Copy ${what}`}
      </Button>
      <Group justify="space-between" mt="xs">
        <Checkbox
          label="I have stored it"
          checked={isStored}
          onChange={(event) => setStored(event.currentTarget.checked)}
        />
        <Button disabled={!isStored} onClick={onStored}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
