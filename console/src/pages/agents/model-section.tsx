import { Autocomplete, Select, SimpleGrid, Textarea } from '@mantine/core'
import { type AgentForm, AgentSection } from './agent-section.tsx'
import { type AgentValues, defaultModels } from './agent-values.ts'

const providers = [
  { value: 'openai', label: 'OpenAI, or a server that speaks like it' },
  { value: 'anthropic', label: 'Anthropic' },
  { value: 'google', label: 'Google' },
]

export function ModelSection({ form, isTest }: { form: AgentForm; isTest: boolean }) {
  const { values, set } = form
  const chooseProvider = (chosen: string | null) => {
    const provider = (chosen ?? 'openai') as AgentValues['llm_provider']
    // A model that somebody chose is theirs; the usual one goes with its provider.
    if (values.llm_model === defaultModels[values.llm_provider]) set('llm_model', defaultModels[provider])
    set('llm_provider', provider)
  }
  return (
    <AgentSection
      id="model"
      title="Model and instructions"
      text={
        isTest
          ? 'In test mode no hosted model is asked: answers are taken word for word from your documents, so that you can try everything else first.'
          : undefined
      }
    >
      <Textarea
        label="Instructions"
        description="Who it is, what it may do, and what it must not do. {{contact.name}} and the variables of a call are filled in."
        placeholder="You are the friendly front desk of a dental practice. …"
        autosize
        minRows={6}
        maxRows={24}
        {...form.field('system_prompt')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <Select
          label="Provider"
          data={providers}
          allowDeselect={false}
          value={values.llm_provider}
          error={form.errors.llm_provider}
          onChange={chooseProvider}
        />
        <Autocomplete
          label="Model"
          data={[defaultModels[values.llm_provider]]}
          value={values.llm_model}
          error={form.errors.llm_model}
          onChange={(model) => set('llm_model', model)}
        />
      </SimpleGrid>
    </AgentSection>
  )
}
