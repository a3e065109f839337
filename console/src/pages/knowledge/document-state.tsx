import type { api as types } from '@frontdesk/sdk'
import { Box, Progress, Text } from '@mantine/core'
import { Status } from '../../ui/status.tsx'

const tones = { processing: 'busy', ready: 'good', failed: 'bad' } as const
const words = { processing: 'Reading', ready: 'Ready', failed: 'Failed' } as const

export const languageOf = (code: string | null): string => {
  if (!code) return '–'
  if (code === 'simple') return 'Not recognised'
  return code.charAt(0).toUpperCase() + code.slice(1)
}

/** How far a document has come, in a word and, while it is read, in numbers. */
export function DocumentState({ document: { status, progress, file_name } }: { document: types.Document }) {
  const percent = Math.round(progress * 100)
  return (
    <Box miw={96}>
      <Status tone={tones[status]}>{status === 'processing' ? `Reading, ${percent}%` : words[status]}</Status>
      {status === 'processing' && (
        <Progress value={percent} size="xs" mt={4} animated aria-label={`${file_name}: ${percent}% read`} />
      )}
    </Box>
  )
}

/** Why it failed, and what can be done about it. */
export function DocumentProblem({ document: { status, error } }: { document: types.Document }) {
  if (status !== 'failed') return null
  return (
    <Text size="sm" c="var(--mantine-color-error)" mt={2}>
      {error ?? 'It could not be read.'} Upload a repaired file to replace it, or the same one to try again.
    </Text>
  )
}
