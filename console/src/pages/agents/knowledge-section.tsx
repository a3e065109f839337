import { Anchor, Group, Radio, Stack, Text } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { Link } from 'react-router'
import { CollectionSelect } from '../../records/knowledge/collection-select.tsx'
import { DocumentSelect, useDocuments } from '../../records/knowledge/document-select.tsx'
import { Status } from '../../ui/status.tsx'
import { type AgentForm, AgentSection } from './agent-section.tsx'

const words = { ready: ['good', 'Ready'], processing: ['busy', 'Processing'], failed: ['bad', 'Failed'] } as const
const shown = 5

/** Which documents of its mode the agent answers from. */
export function KnowledgeSection({ form, isTest }: { form: AgentForm; isTest: boolean }) {
  const { values, set } = form
  const { data, error } = useDocuments()
  const documents = data?.documents ?? []
  return (
    <AgentSection
      id="knowledge"
      title="Knowledge"
      text={`Documents of ${isTest ? 'test' : 'live'} mode that the agent answers from.`}
    >
      <Radio.Group
        label="Documents"
        value={values.reads_all ? 'all' : 'chosen'}
        onChange={(chosen) => set('reads_all', chosen === 'all')}
      >
        <Stack gap={6} mt={6}>
          <Radio value="all" label={data ? `All documents (${documents.length})` : 'All documents'} />
          <Radio value="chosen" label="Selected documents and collections" />
        </Stack>
      </Radio.Group>
      {!values.reads_all && (
        <>
          <DocumentSelect
            label="Selected documents"
            description={
              values.document_ids.length + values.collection_ids.length === 0
                ? 'Without documents or collections, the agent does not use the knowledge base.'
                : undefined
            }
            value={values.document_ids}
            error={form.errors.document_ids}
            onChange={(ids) => set('document_ids', ids)}
          />
          <CollectionSelect
            description="The agent also answers from every document in them."
            value={values.collection_ids}
            error={form.errors.collection_ids}
            onChange={(ids) => set('collection_ids', ids)}
          />
        </>
      )}
      {data && documents.length === 0 && (
        <Text size="sm">
          No documents yet.{' '}
          <Anchor underline="always" component={Link} to="/knowledge" size="sm">
            Add a document
          </Anchor>
        </Text>
      )}
      {values.reads_all && documents.length > 0 && (
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
      {error && !data && (
        <Text size="sm" c="var(--mantine-color-error)">
          The documents could not be loaded.
        </Text>
      )}
      <Anchor component={Link} to="/knowledge" size="sm">
        {data && documents.length === 0 ? 'Add the first document' : 'Manage documents'}
      </Anchor>
    </AgentSection>
  )
}
