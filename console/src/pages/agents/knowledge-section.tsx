import { Anchor, MultiSelect, Radio, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { api } from '../../app/api.ts'
import { useRecord } from '../../parts/use-records.ts'
import { type AgentForm, AgentSection } from './agent-section.tsx'

const notReady = { ready: '', processing: ' (being read)', failed: ' (failed)' } as const

/** Which documents of its mode the agent answers from. */
export function KnowledgeSection({ form, isTest }: { form: AgentForm; isTest: boolean }) {
  const { values, set } = form
  const { data, error } = useRecord(['documents'], (signal) => api.knowledge.listDocuments({ signal }))
  const documents = data?.documents ?? []
  const options = documents.map(({ id, file_name, status }) => ({ value: id, label: file_name + notReady[status] }))
  // A document may have been deleted since it was chosen: it can be seen and taken out.
  const deleted = data ? values.document_ids.filter((id) => !documents.some((each) => each.id === id)) : []
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
          <Radio value="chosen" label="Selected documents" />
        </Stack>
      </Radio.Group>
      {!values.reads_all && (
        <MultiSelect
          label="Selected documents"
          description={
            values.document_ids.length === 0 ? 'Without one, the agent answers from no document.' : undefined
          }
          placeholder={values.document_ids.length === 0 ? 'Search documents' : undefined}
          data={[...options, ...deleted.map((id) => ({ value: id, label: 'Deleted document' }))]}
          searchable
          clearable
          hidePickedOptions
          limit={100}
          nothingFoundMessage="No document has this name"
          disabled={!data}
          value={values.document_ids}
          error={form.errors.document_ids}
          onChange={(ids) => set('document_ids', ids)}
        />
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
