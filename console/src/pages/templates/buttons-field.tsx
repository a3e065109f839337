import { ActionIcon, Button, Card, Group, Input, Menu, Stack, Text, TextInput } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { Counter } from './counter.tsx'
import { type ButtonValues, limits, newButton } from './template-form.ts'

const kinds: Record<ButtonValues['type'], { label: string; meaning: string; most: number }> = {
  QUICK_REPLY: { label: 'Quick reply', meaning: 'Sends its label back to you', most: 10 },
  URL: { label: 'Website', meaning: 'Opens a URL', most: 2 },
  PHONE_NUMBER: { label: 'Call', meaning: 'Calls a number', most: 1 },
}

export function ButtonsField({
  buttons,
  errors,
  onChange,
}: {
  buttons: ButtonValues[]
  errors: Partial<Record<string, string>>
  onChange(buttons: ButtonValues[]): void
}) {
  const change = (i: number, members: Partial<ButtonValues>) =>
    onChange(buttons.map((button, at) => (at === i ? { ...button, ...members } : button)))
  const move = (i: number, by: number) => {
    const next = [...buttons]
    next.splice(i + by, 0, ...next.splice(i, 1))
    onChange(next)
  }
  return (
    <Stack gap="xs">
      <div>
        <Input.Label component="div">Buttons</Input.Label>
        <Input.Description>
          Up to 10. With more than three, the phone shows two and a list with the rest.
        </Input.Description>
        {errors.buttons && <Input.Error mt={4}>{errors.buttons}</Input.Error>}
      </div>
      {buttons.map((button, i) => (
        <Card key={button.key} withBorder padding="sm">
          <Group justify="space-between" mb="xs">
            <Text size="sm" fw={550}>
              {kinds[button.type].label}
            </Text>
            <Group gap={2}>
              <ActionIcon
                variant="subtle"
                color="gray"
                disabled={i === 0}
                onClick={() => move(i, -1)}
                aria-label={`Move button ${i + 1} up`}
              >
                <IconChevronUp size={16} />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                disabled={i === buttons.length - 1}
                onClick={() => move(i, 1)}
                aria-label={`Move button ${i + 1} down`}
              >
                <IconChevronDown size={16} />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                onClick={() => onChange(buttons.filter((_, at) => at !== i))}
                aria-label={`Remove button ${i + 1}`}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
          </Group>
          <Group align="flex-start" gap="xs" grow preventGrowOverflow={false}>
            <TextInput
              label="Label"
              dir="auto"
              value={button.text}
              error={errors[`buttons.${i}.text`]}
              rightSection={<Counter text={button.text} most={limits.label} />}
              rightSectionWidth={64}
              onChange={(event) => change(i, { text: event.currentTarget.value })}
              miw={180}
            />
            {button.type === 'URL' && (
              <TextInput
                label="URL"
                description="Can end with a variable, as in https://example.com/orders/{{1}}"
                inputMode="url"
                value={button.url}
                error={errors[`buttons.${i}.url`]}
                onChange={(event) => change(i, { url: event.currentTarget.value })}
                miw={220}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
              />
            )}
            {button.type === 'PHONE_NUMBER' && (
              <TextInput
                label="Phone number"
                placeholder="+14155550100"
                inputMode="tel"
                value={button.phone_number}
                error={errors[`buttons.${i}.phone_number`]}
                onChange={(event) => change(i, { phone_number: event.currentTarget.value })}
                miw={180}
              />
            )}
          </Group>
        </Card>
      ))}
      <Menu position="bottom-start">
        <Menu.Target>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} />}
            disabled={buttons.length >= limits.buttons}
            style={{ alignSelf: 'flex-start' }}
          >
            Add button
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {Object.entries(kinds).map(([type, { label, meaning, most }]) => (
            <Menu.Item
              key={type}
              disabled={buttons.filter((button) => button.type === type).length >= most}
              onClick={() => onChange([...buttons, newButton(type as ButtonValues['type'])])}
            >
              {label}
              <Text size="xs" c="dimmed">
                {meaning}
              </Text>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Stack>
  )
}
