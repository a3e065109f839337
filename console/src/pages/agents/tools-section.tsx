import {
  Button,
  Card,
  Collapse,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
  UnstyledButton,
} from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { type AgentForm, AgentSection } from './agent-section.tsx'
import { newTool, type ToolRow } from './agent-values.ts'
import { HeadersField } from './headers-field.tsx'
import { ParametersField } from './parameters-field.tsx'
import { RowButton } from './row-button.tsx'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export function ToolsSection({ form }: { form: AgentForm }) {
  const { tools } = form.values
  const [fresh, setFresh] = useState<string>()
  const add = () => {
    const tool = newTool()
    setFresh(tool.key)
    form.set('tools', [...tools, tool])
  }
  return (
    <AgentSection
      id="tools"
      title="Tools"
      text="Requests that the agent can send to your systems during a conversation: look up an order, book a slot."
    >
      {tools.map((tool, index) => (
        <Foldable
          key={tool.key}
          name={tool.name || 'New tool'}
          detail={`${tool.method} ${tool.url}`}
          isOpen={tool.key === fresh}
          hasError={Object.entries(form.errors).some(([at, message]) => message && at.startsWith(`tools.${index}.`))}
          onRemove={() =>
            form.set(
              'tools',
              tools.filter((_, at) => at !== index),
            )
          }
        >
          <ToolFields
            tool={tool}
            errorAt={(member) => form.errorAt(`tools.${index}.${member}`)}
            onChange={(changes) =>
              form.set(
                'tools',
                tools.map((each, at) => (at === index ? { ...each, ...changes } : each)),
              )
            }
          />
        </Foldable>
      ))}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} />}
        onClick={add}
        style={{ alignSelf: 'flex-start' }}
      >
        Add tool
      </Button>
    </AgentSection>
  )
}

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

/** A collapsible entry. Entries with errors stay open. */
export function Foldable({
  name,
  detail,
  isOpen: startsOpen,
  hasError,
  onRemove,
  children,
}: {
  name: string
  detail: string
  isOpen: boolean
  hasError: boolean
  onRemove(): void
  children: ReactNode
}) {
  const [isOpen, setOpen] = useState(startsOpen)
  // Stays open once opened, so that it does not collapse while its error is being fixed.
  if (hasError && !isOpen) setOpen(true)
  return (
    <Card withBorder padding="sm">
      <Group wrap="nowrap" gap="xs">
        <UnstyledButton flex={1} miw={0} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Group wrap="nowrap" gap="xs">
            {isOpen ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
            <Text size="sm" fw={600} span style={{ whiteSpace: 'nowrap' }}>
              {name}
            </Text>
            <Text size="sm" c="dimmed" span truncate>
              {detail}
            </Text>
          </Group>
        </UnstyledButton>
        <RowButton label={`Remove ${name}`} icon={IconTrash} onClick={onRemove} />
      </Group>
      <Collapse expanded={isOpen} keepMounted={false}>
        <div style={{ paddingTop: 12 }}>{children}</div>
      </Collapse>
    </Card>
  )
}
