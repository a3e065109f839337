import { Button, Card, Group, Input, Menu, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ButtonType } from '../../records/templates/template-parts.ts'
import { ItemButtons } from '../../ui/item-buttons.tsx'
import { ButtonFields } from './button-fields.tsx'
import { type ButtonValues, limits, newButton } from './template-values.ts'

export const buttonKinds: Record<ButtonType, { label: string; meaning: string; most: number }> = {
  QUICK_REPLY: { label: 'Quick reply', meaning: 'Sends its label back to you', most: 10 },
  URL: { label: 'Website', meaning: 'Opens a URL', most: 2 },
  PHONE_NUMBER: { label: 'Call', meaning: 'Calls a number', most: 1 },
  COPY_CODE: { label: 'Copy code', meaning: 'Copies a coupon code', most: 1 },
  FLOW: { label: 'Form', meaning: 'Opens a WhatsApp Flow', most: 1 },
  CATALOG: { label: 'Catalog', meaning: 'Opens your catalog', most: 1 },
  MPM: { label: 'Products', meaning: 'Shows products of your catalog', most: 1 },
  OTP: { label: 'One-time password', meaning: 'Copies the code', most: 1 },
}

/** The buttons of a message. Those of `types` can be added, moved and removed; others belong to the kind. */
export function ButtonsField({
  types,
  buttons,
  errors,
  onChange,
}: {
  types: ButtonType[]
  buttons: ButtonValues[]
  errors: Partial<Record<string, string>>
  onChange(buttons: ButtonValues[]): void
}) {
  if (types.length === 0 && buttons.length === 0) return null
  return (
    <Stack gap="xs">
      <div>
        <Input.Label component="div">{types.length > 0 ? 'Buttons' : 'Button'}</Input.Label>
        {types.includes('QUICK_REPLY') && (
          <Input.Description>
            Up to 10. With more than three, the phone shows two and a list with the rest.
          </Input.Description>
        )}
        {errors.buttons && <Input.Error mt={4}>{errors.buttons}</Input.Error>}
      </div>
      {buttons.map((button, i) => (
        <Card key={button.key} withBorder padding="sm">
          <Group justify="space-between" mb="xs">
            <Text size="sm" fw={550}>
              {buttonKinds[button.type].label}
            </Text>
            {types.length > 0 && <ItemButtons items={buttons} index={i} noun="button" onChange={onChange} />}
          </Group>
          <ButtonFields
            button={button}
            errors={errors}
            at={`buttons.${i}`}
            change={(members) => onChange(buttons.map((each, at) => (at === i ? { ...each, ...members } : each)))}
          />
        </Card>
      ))}
      {types.length > 0 && (
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
            {types.map((type) => {
              const { label, meaning, most } = buttonKinds[type]
              return (
                <Menu.Item
                  key={type}
                  disabled={buttons.filter((button) => button.type === type).length >= most}
                  onClick={() => onChange([...buttons, newButton(type)])}
                >
                  {label}
                  <Text size="xs" c="dimmed">
                    {meaning}
                  </Text>
                </Menu.Item>
              )
            })}
          </Menu.Dropdown>
        </Menu>
      )}
    </Stack>
  )
}
