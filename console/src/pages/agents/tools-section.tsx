import { Group, NumberInput, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { type AgentForm, AgentSection } from './agent-section.tsx'
import { FoldableRows } from './foldable-rows.tsx'
import { HeadersField } from './headers-field.tsx'
import { ParametersField } from './parameters-field.tsx'
import { newTool, type ToolRow } from './tool-values.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export const ToolsSection = ({ form }: { form: AgentForm }) => (
  <AgentSection
    id="tools"
    title="Tools"
    text="Requests that the agent can send to your systems during a conversation: look up an order, book a slot."
  >
    <FoldableRows
      form={form}
      name="tools"
      noun="tool"
      create={newTool}
      detailOf={({ method, url }) => `${method} ${url}`}
    >
      {(tool, errorAt, change) => <ToolFields tool={tool} errorAt={errorAt} onChange={change} />}
    </FoldableRows>
  </AgentSection>
)

function ToolFields({
  tool,
  errorAt,
  onChange,
}: {
  tool: ToolRow
  errorAt(member: string): string | undefined
  onChange(changes: Partial<ToolRow>): void
}) {
  return (
    <Stack gap="sm">
      <TextInput
        label="Tool name"
        placeholder="find_order"
        description="Letters, digits, _ and -"
        value={tool.name}
        error={errorAt('name')}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <Textarea
        label="Description"
        description="Helps the model decide when to use it"
        placeholder="Looks up an order by its number"
        autosize
        minRows={1}
        maxRows={6}
        value={tool.description}
        error={errorAt('description')}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Select
          label="Method"
          w={104}
          data={methods}
          allowDeselect={false}
          value={tool.method}
          onChange={(method) => onChange({ method: (method ?? 'GET') as ToolRow['method'] })}
        />
        <TextInput
          label="URL"
          flex={1}
          miw={0}
          type="url"
          placeholder="https://api.example.com/orders/{order_number}"
          value={tool.url}
          error={errorAt('url')}
          onChange={(event) => onChange({ url: event.currentTarget.value })}
        />
      </Group>
      <ParametersField
        value={tool.parameters}
        error={errorAt('parameters')}
        onChange={(parameters) => onChange({ parameters })}
      />
      <HeadersField
        rows={tool.headers}
        errorAt={(name) => errorAt(`headers.${name}`)}
        onChange={(headers) => onChange({ headers })}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TextInput
          label="Say while it runs"
          placeholder="One moment, I am looking that up."
          value={tool.say_while_running}
          error={errorAt('say_while_running')}
          onChange={(event) => onChange({ say_while_running: event.currentTarget.value })}
        />
        <NumberInput
          label="Timeout"
          suffix=" ms"
          step={1000}
          value={tool.timeout_ms}
          error={errorAt('timeout_ms')}
          onChange={(value) => onChange({ timeout_ms: Number(value) })}
        />
      </SimpleGrid>
    </Stack>
  )
}
