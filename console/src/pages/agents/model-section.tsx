import { Autocomplete, Select, SimpleGrid, Textarea } from '@mantine/core'
import { type AgentForm, AgentSection } from './agent-section.tsx'
import { type AgentValues, defaultModels } from './agent-values.ts'

const providers = [
  { value: 'openai', label: 'OpenAI or compatible' },
  { value: 'anthropic', label: 'Anthropic' },
  { value: 'google', label: 'Google' },
]

export function ModelSection({ form, isTest }: { form: AgentForm; isTest: boolean }) {
  const { values, set } = form
  const chooseProvider = (chosen: string | null) => {
    const provider = (chosen ?? 'openai') as AgentValues['llm_provider']
    // Changing the provider replaces a default model but keeps a chosen one.
    if (values.llm_model === defaultModels[values.llm_provider]) set('llm_model', defaultModels[provider])
    set('llm_provider', provider)
  }
  return (
    <AgentSection
      id="model"
      title="Model and instructions"
      text={isTest ? 'Test mode does not call a hosted model. Answers are quoted from your documents.' : undefined}
    >
      <Textarea
        label="Instructions"
        description="Describe its role, what it may do and what it must not do. {{contact.name}} and call variables are filled in."
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
