import type { api as types } from '@frontdesk/sdk'
import { Box, Progress, Text } from '@mantine/core'
import { capitalized } from '../../ui/capitalized.ts'
import { Status } from '../../ui/status.tsx'

const tones = { processing: 'busy', ready: 'good', failed: 'bad' } as const
const words = { processing: 'Processing', ready: 'Ready', failed: 'Failed' } as const

export const languageOf = (code: string | null): string => {
  if (!code) return '–'
  if (code === 'simple') return 'Unknown'
  return capitalized(code)
}

const kinds = { pdf: 'PDF', docx: 'Word', txt: 'Text' }

export function kindOf({ document_type, source }: types.Document): string {
  if (source?.kind === 'faq') return 'FAQ'
  if (source?.kind === 'web_page') return 'Web page'
  return source?.file_kind?.toUpperCase() ?? kinds[document_type]
}

/** The status of a document, with progress while it is processed. */
export function DocumentState({ document: { status, progress, file_name } }: { document: types.Document }) {
  const percent = Math.floor(progress * 100)
  return (
    <Box miw={96}>
      <Status tone={tones[status]}>{status === 'processing' ? `Processing, ${percent}%` : words[status]}</Status>
      {status === 'processing' && (
        <Progress value={percent} size="xs" mt={4} animated aria-label={`${file_name}: ${percent}% processed`} />
      )}
    </Box>
  )
}

/** Why processing failed, and what to do. */
export function DocumentProblem({ document: { status, error } }: { document: types.Document }) {
  if (status !== 'failed') return null
  return (
    <Text size="sm" c="var(--mantine-color-error)" mt={2}>
      {error ?? 'The document could not be read.'} Upload a fixed file to replace it, or the same file to try again.
    </Text>
  )
}
