import { SimpleGrid, Switch, Text, TextInput } from '@mantine/core'
import { type AgentForm, AgentSection } from './agent-section.tsx'
import { FoldableRows } from './foldable-rows.tsx'
import { newKey } from './row-keys.ts'

const newTemplate = () => ({ key: newKey(), name: '', language: 'en_US', description: '' })

/** What the agent can do during a call besides talking. */
export function OnCallSection({ form }: { form: AgentForm }) {
  const { values, set } = form
  const isPrompt = values.agent_type === 'prompt'
  return (
    <AgentSection id="on-call" title="During a call" text="What the agent can do besides talking.">
      <Switch
        label="Brief people before a transfer"
        description="They hear who is calling and why, and take the call by pressing a key"
        checked={values.warm_transfer}
        onChange={(event) => set('warm_transfer', event.currentTarget.checked)}
      />
      {isPrompt && <MessagesAndKeys form={form} />}
    </AgentSection>
  )
}

function MessagesAndKeys({ form }: { form: AgentForm }) {
  const { values, set } = form
  return (
    <>
      <Switch
        label="Press keys"
        description="For example in the phone menu of another company"
        checked={values.press_keys}
        onChange={(event) => set('press_keys', event.currentTarget.checked)}
      />
      <Switch
        label="Send WhatsApp messages"
        description="Such as a link or an address, while the caller is on the line"
        checked={values.send_messages}
        onChange={(event) => set('send_messages', event.currentTarget.checked)}
      />
      {values.send_messages && (
        <>
          <Text size="xs" c="dimmed">
            Contacts who have not written within 24 hours can only be sent templates.
          </Text>
          <FoldableRows
            form={form}
            name="message_templates"
            noun="template"
            create={newTemplate}
            detailOf={({ description }) => description}
          >
            {(template, errorAt, change) => (
              <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
                <TextInput
                  label="Template name"
                  placeholder="appointment_link"
                  value={template.name}
                  error={errorAt('name')}
                  onChange={(event) => change({ name: event.currentTarget.value })}
                />
                <TextInput
                  label="Language"
                  placeholder="en_US"
                  value={template.language}
                  error={errorAt('language')}
                  onChange={(event) => change({ language: event.currentTarget.value })}
                />
                <TextInput
                  label="When to send it"
                  placeholder="The caller wants to book online"
                  value={template.description}
                  error={errorAt('description')}
                  onChange={(event) => change({ description: event.currentTarget.value })}
                />
              </SimpleGrid>
            )}
          </FoldableRows>
        </>
      )}
    </>
  )
}
