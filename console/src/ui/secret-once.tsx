import { Alert, Button, Checkbox, Code, Group, Modal, Stack, Text } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useCopy } from './use-copy.ts'
import { useLast } from './use-last.ts'

/** A secret that the service shows once. It does not go away by a slip: whoever closes it says that it is stored. */
export function SecretOnce({
  title,
  what,
  secret,
  children,
  onStored,
}: {
  title: string
  /** What it is, as in "Copy the key". */
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
          It was made, but its answer was lost on the way and the {what} cannot be shown again. Roll it to get a new
          one.
        </Alert>
        <Button onClick={onStored}>Close</Button>
      </Stack>
    )
  return (
    <Stack gap="sm">
      <Text size="sm">
        This is the only time that it is shown. Store it where you keep secrets, not in source control.
      </Text>
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
        {copied ? 'Copied' : `Copy the ${what}`}
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
