import { ActionIcon, Button, Group, Input, Menu, Stack, Textarea, TextInput, Tooltip } from '@mantine/core'
import { IconBold, IconBraces, IconCode, IconItalic, IconStrikethrough } from '@tabler/icons-react'
import { type ReactNode, useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import { variablesIn } from '../../records/templates/template-parts.ts'
import { Counter } from '../../ui/counter.tsx'

const marks = [
  { label: 'Bold', mark: '*', icon: IconBold },
  { label: 'Italic', mark: '_', icon: IconItalic },
  { label: 'Strikethrough', mark: '~', icon: IconStrikethrough },
  { label: 'Monospace', mark: '```', icon: IconCode },
]

const names = ['customer_name', 'order_number', 'date', 'time', 'amount']

/** A text with variables and, in the body, formatting. */
export function MessageField({
  label,
  description,
  value,
  error,
  most,
  isLong = false,
  mayHoldVariables = true,
  placeholder,
  onChange,
}: {
  label: string
  description?: ReactNode
  value: string
  error?: ReactNode
  most: number
  isLong?: boolean
  mayHoldVariables?: boolean
  placeholder?: string
  onChange(text: string): void
}) {
  const area = useRef<HTMLTextAreaElement & HTMLInputElement>(null)
  const id = useId()

  /** Wraps or replaces the selection and places the cursor after it. */
  function put(before: string, after = '') {
    const { selectionStart: start, selectionEnd: end } = area.current ?? {
      selectionStart: value.length,
      selectionEnd: value.length,
    }
    const from = start ?? value.length
    const to = end ?? value.length
    flushSync(() => onChange(value.slice(0, from) + before + value.slice(from, to) + after + value.slice(to)))
    const caret = from === to ? from + before.length : to + before.length + after.length
    area.current?.focus()
    area.current?.setSelectionRange(caret, caret)
  }

  const used = variablesIn(value)
  const numbers = used.filter((name) => /^\d+$/.test(name)).map(Number)
  const next = String(Math.max(0, ...numbers) + 1)
  const shared = {
    id,
    ref: area,
    value,
    error,
    placeholder,
    dir: 'auto' as const,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  return (
    <Stack gap={4}>
      <Group justify="space-between" align="flex-end" gap="xs">
        <div>
          <Input.Label htmlFor={id}>{label}</Input.Label>
          {description && <Input.Description>{description}</Input.Description>}
        </div>
        <Counter text={value} most={most} />
      </Group>
      {isLong ? (
        <Textarea {...shared} styles={{ input: { unicodeBidi: 'plaintext' } }} autosize minRows={5} maxRows={16} />
      ) : (
        <TextInput {...shared} />
      )}
      <Group gap={4}>
        {isLong &&
          marks.map(({ label: word, mark, icon: Icon }) => (
            <Tooltip key={mark} label={`${word} (${mark}text${mark})`}>
              <ActionIcon variant="subtle" color="gray" aria-label={word} onClick={() => put(mark, mark)}>
                <Icon size={16} />
              </ActionIcon>
            </Tooltip>
          ))}
        {mayHoldVariables && (
          <Menu position="bottom-start">
            <Menu.Target>
              <Button variant="subtle" color="gray" size="compact-sm" leftSection={<IconBraces size={14} />}>
                Add variable
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Label>Numbered</Menu.Label>
              <Menu.Item onClick={() => put(`{{${next}}}`)}>{`{{${next}}}`}</Menu.Item>
              <Menu.Label>Named. Use one kind in a template</Menu.Label>
              {names
                .filter((name) => !used.includes(name))
                .map((name) => (
                  <Menu.Item key={name} onClick={() => put(`{{${name}}}`)}>{`{{${name}}}`}</Menu.Item>
                ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
    </Stack>
  )
}
