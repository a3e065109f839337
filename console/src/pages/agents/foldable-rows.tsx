import { Card, Collapse, Group, Text, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { AddButton } from '../../ui/add-button.tsx'
import { RowButton } from '../../ui/row-button.tsx'
import type { AgentForm } from './agent-section.tsx'
import type { AgentValues, TargetRow, TemplateRow } from './agent-values.ts'
import type { NamedRow } from './result-values.ts'
import type { McpRow, ToolRow } from './tool-values.ts'

interface Rows {
  tools: ToolRow
  mcp_servers: McpRow
  transfer_targets: TargetRow
  message_templates: TemplateRow
  success_criteria: NamedRow
  dispositions: NamedRow
}

/** Entries of a form, folded until they are opened. New ones and those with errors are open. */
export function FoldableRows<Name extends keyof Rows>({
  form,
  name,
  noun,
  create,
  detailOf,
  children,
}: {
  form: AgentForm
  name: Name
  noun: string
  create(): Rows[Name]
  detailOf(row: Rows[Name]): string
  children(
    row: Rows[Name],
    errorAt: (member: string) => string | undefined,
    change: (changes: Partial<Rows[Name]>) => void,
  ): ReactNode
}) {
  const rows = form.values[name] as Rows[Name][]
  const put = (changed: Rows[Name][]) => form.set(name, changed as AgentValues[Name])
  const [fresh, setFresh] = useState<string>()
  const add = () => {
    const row = create()
    setFresh(row.key)
    put([...rows, row])
  }
  return (
    <>
      {rows.map((row, index) => (
        <Foldable
          key={row.key}
          name={row.name || `New ${noun}`}
          detail={detailOf(row)}
          isOpen={row.key === fresh}
          hasError={Object.entries(form.errors).some(([at, message]) => message && at.startsWith(`${name}.${index}.`))}
          onRemove={() => put(rows.filter((_, at) => at !== index))}
        >
          {children(
            row,
            (member) => form.errorAt(`${name}.${index}.${member}`),
            (changes) => put(rows.map((each, at) => (at === index ? { ...each, ...changes } : each))),
          )}
        </Foldable>
      ))}
      <AddButton onClick={add}>Add {noun}</AddButton>
    </>
  )
}

/** A collapsible entry. Entries with errors stay open. */
function Foldable({
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
