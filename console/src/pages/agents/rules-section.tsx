import { Card, Group, Select, Stack, TagsInput, Text, Textarea } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import { AddButton } from '../../ui/add-button.tsx'
import { RowButton } from '../../ui/row-button.tsx'
import { type AgentForm, AgentSection } from './agent-section.tsx'
import { type Next, newRule, type RuleRow } from './rule-values.ts'

const whatNext = [
  { value: '', label: 'Keep listening' },
  { value: 'end', label: 'End call' },
  { value: 'handoff', label: 'Hand off to a person' },
  { value: 'transfer', label: 'Transfer call' },
]

export function RulesSection({ form }: { form: AgentForm }) {
  const { rules } = form.values
  const change = (index: number, changes: Partial<RuleRow>) =>
    form.set(
      'rules',
      rules.map((rule, at) => (at === index ? { ...rule, ...changes } : rule)),
    )
  const move = (from: number, to: number) => {
    const moved = [...rules]
    moved.splice(to, 0, ...moved.splice(from, 1))
    form.set('rules', moved)
  }
  return (
    <AgentSection id="rules" title="Rules" text="The first matching rule answers. Whole words; case is ignored.">
      {rules.map((rule, index) => (
        <Card withBorder key={rule.key} padding="sm" component="fieldset" m={0}>
          <Group justify="space-between" mb={4}>
            <Text size="sm" fw={600} component="legend" p={0}>
              Rule {index + 1}
            </Text>
            <Group gap={2}>
              <RowButton
                label="Move up"
                icon={IconArrowUp}
                disabled={index === 0}
                onClick={() => move(index, index - 1)}
              />
              <RowButton
                label="Move down"
                icon={IconArrowDown}
                disabled={index === rules.length - 1}
                onClick={() => move(index, index + 1)}
              />
              <RowButton
                label={`Remove rule ${index + 1}`}
                icon={IconTrash}
                onClick={() =>
                  form.set(
                    'rules',
                    rules.filter((_, at) => at !== index),
                  )
                }
              />
            </Group>
          </Group>
          <Stack gap="xs">
            <TagsInput
              label="When the caller says"
              placeholder={rule.when.length === 0 ? 'Type words and press Enter' : undefined}
              value={rule.when}
              acceptValueOnBlur
              error={form.errorAt(`rules.${index}.when`)}
              onChange={(when) => change(index, { when })}
            />
            <Textarea
              label="Say"
              autosize
              minRows={1}
              maxRows={6}
              value={rule.say}
              error={form.errorAt(`rules.${index}.say`)}
              onChange={(event) => change(index, { say: event.currentTarget.value })}
            />
            {rule.next === '' && (
              <Choices
                value={rule.choices}
                error={form.errorAt(`rules.${index}.choices`)}
                onChange={(choices) => change(index, { choices })}
              />
            )}
            <NextSelect value={rule.next} onChange={(next) => change(index, { next })} />
          </Stack>
        </Card>
      ))}
      <AddButton onClick={() => form.set('rules', [...rules, newRule()])}>Add rule</AddButton>
      <Textarea
        label="If no rule matches, say"
        autosize
        minRows={1}
        maxRows={6}
        placeholder="I will ask a colleague to call you back."
        {...form.field('fallback_say')}
      />
      {form.values.fallback_next === '' && (
        <Choices
          value={form.values.fallback_choices}
          error={form.errorAt('fallback_choices')}
          onChange={(choices) => form.set('fallback_choices', choices)}
        />
      )}
      <NextSelect value={form.values.fallback_next} onChange={(next) => form.set('fallback_next', next)} />
    </AgentSection>
  )
}

const Choices = (props: { value: string[]; error: React.ReactNode; onChange(choices: string[]): void }) => (
  <TagsInput
    label="Choices"
    description="Buttons or a list in chat, read out on calls. A tap arrives as the customer’s words."
    placeholder={props.value.length === 0 ? 'Optional: type an answer and press Enter' : undefined}
    maxTags={10}
    acceptValueOnBlur
    {...props}
  />
)

const NextSelect = ({ value, onChange }: { value: Next; onChange(next: Next): void }) => (
  <Select
    label="Then"
    maw={260}
    data={whatNext}
    allowDeselect={false}
    value={value}
    onChange={(chosen) => onChange((chosen ?? '') as Next)}
  />
)
