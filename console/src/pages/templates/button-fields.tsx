import { Group, TextInput } from '@mantine/core'
import { Counter } from '../../ui/counter.tsx'
import { type ButtonValues, limits } from './template-values.ts'

/** The fields of one button: its label, and what it opens, calls or copies. */
export function ButtonFields({
  button,
  errors,
  at,
  change,
}: {
  button: ButtonValues
  errors: Partial<Record<string, string>>
  /** Where its errors are: `buttons.0`. */
  at: string
  change(members: Partial<ButtonValues>): void
}) {
  const { type, text, url, phone_number, flow_id, code } = button
  return (
    <Group align="flex-start" gap="xs" grow preventGrowOverflow={false}>
      {type !== 'COPY_CODE' && (
        <TextInput
          label="Label"
          dir="auto"
          value={text}
          error={errors[`${at}.text`]}
          rightSection={<Counter text={text} most={limits.label} />}
          rightSectionWidth={64}
          onChange={({ currentTarget }) => change({ text: currentTarget.value })}
          miw={180}
        />
      )}
      {type === 'URL' && (
        <TextInput
          label="URL"
          description="Can end with a variable, as in https://example.com/orders/{{1}}"
          inputMode="url"
          value={url}
          error={errors[`${at}.url`]}
          onChange={({ currentTarget }) => change({ url: currentTarget.value })}
          miw={220}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
      )}
      {type === 'PHONE_NUMBER' && (
        <TextInput
          label="Phone number"
          placeholder="+14155550100"
          inputMode="tel"
          value={phone_number}
          error={errors[`${at}.phone_number`]}
          onChange={({ currentTarget }) => change({ phone_number: currentTarget.value })}
          miw={180}
        />
      )}
      {type === 'FLOW' && (
        <TextInput
          label="Flow ID"
          description="From WhatsApp Manager, under Flows"
          placeholder="1197715005513101"
          inputMode="numeric"
          value={flow_id}
          error={errors[`${at}.flow_id`]}
          onChange={({ currentTarget }) => change({ flow_id: currentTarget.value })}
          miw={180}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
      )}
      {type === 'COPY_CODE' && (
        <TextInput
          label="Sample code"
          description="For WhatsApp’s reviewers. You choose the code to send in each campaign."
          placeholder="SPRING25"
          value={code}
          error={errors[`${at}.code`]}
          rightSection={<Counter text={code} most={limits.code} />}
          rightSectionWidth={64}
          onChange={({ currentTarget }) => change({ code: currentTarget.value })}
          miw={180}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
      )}
    </Group>
  )
}
