import { Anchor, Group, Stack, Text } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'
import { Status } from '../../ui/status.tsx'
import { AgentSection } from './agent-section.tsx'

const words = { ready: ['good', 'Ready'], processing: ['busy', 'Processing'], failed: ['bad', 'Failed'] } as const
const shown = 5

/** Every agent uses all documents of its mode. */
export function KnowledgeSection({ isTest }: { isTest: boolean }) {
  const { data, error } = useRecord(['documents'], (signal) => api.knowledge.listDocuments({ signal }))
  const documents = data?.documents ?? []
  return (
    <AgentSection
      id="knowledge"
      title="Knowledge"
      text={`Answers from all documents that are ready in ${isTest ? 'test' : 'live'} mode.`}
    >
      {error && !data && (
        <Text size="sm" c="var(--mantine-color-error)">
          Could not load the documents.
        </Text>
      )}
      {data && documents.length === 0 && (
        <Text size="sm">
          No documents yet.{' '}
          <Anchor component={Link} to="/knowledge" size="sm">
            Add a document
          </Anchor>
        </Text>
      )}
      {documents.length > 0 && (
        <Stack gap={6} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {documents.slice(0, shown).map(({ id, file_name, status }) => (
            <Group key={id} component="li" gap="xs" wrap="nowrap">
              <IconFileText size={16} stroke={1.6} style={{ flex: 'none' }} aria-hidden />
              <Anchor component={Link} to={`/knowledge/${id}`} size="sm" truncate flex={1} miw={0}>
                {file_name}
              </Anchor>
              <Status tone={words[status][0]}>{words[status][1]}</Status>
            </Group>
          ))}
        </Stack>
      )}
      {documents.length > 0 && (
        <Anchor component={Link} to="/knowledge" size="sm">
          {documents.length > shown ? `All ${documents.length} documents` : 'Manage documents'}
        </Anchor>
      )}
    </AgentSection>
  )
}
