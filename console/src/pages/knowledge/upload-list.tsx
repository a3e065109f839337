import { ActionIcon, Alert, Box, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { sizeOf } from '../../ui/size.ts'
import { dismiss, repeat, type Upload } from './uploads.ts'

/** Running and failed uploads. */
export function UploadList({ uploads }: { uploads: Upload[] }) {
  if (uploads.length === 0) return null
  return (
    <Stack gap="xs" mb="md" aria-label="Uploads" role="region">
      {uploads.map((upload) =>
        upload.state === 'refused' ? (
          <Refused key={upload.key} upload={upload} />
        ) : (
          <Sending key={upload.key} upload={upload} />
        ),
      )}
    </Stack>
  )
}

function Sending({ upload: { file, share, state } }: { upload: Upload }) {
  const percent = Math.floor(share * 100)
  return (
    <Box>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" truncate>
          {file.name}
        </Text>
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {state === 'waiting' ? 'Waiting' : `${percent}% of ${sizeOf(file.size)}`}
        </Text>
      </Group>
      <Progress value={percent} size="sm" mt={4} aria-label={`${file.name}: ${percent}% uploaded`} />
    </Box>
  )
}

function Refused({ upload: { key, file, reason, isWorthRepeating } }: { upload: Upload }) {
  return (
    <Alert color="red" variant="light" py="xs" role="alert">
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Box miw={0}>
          <Text size="sm" fw={600} truncate>
            Could not upload {file.name}
          </Text>
          <Text size="sm">{reason}</Text>
        </Box>
        <Group gap="xs" wrap="nowrap">
          {isWorthRepeating && (
            <Button size="compact-sm" variant="default" onClick={() => repeat(key)}>
              Try again
            </Button>
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            onClick={() => dismiss(key)}
            aria-label={`Dismiss the error about ${file.name}`}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      </Group>
    </Alert>
  )
}
