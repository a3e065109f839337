import { SimpleGrid, Textarea } from '@mantine/core'
import { type AgentForm, AgentSection } from './agent-section.tsx'
import { type PhraseName, phraseNames } from './agent-values.ts'

/** With the English default, for orientation. */
const labels: Record<PhraseName, { label: string; placeholder: string }> = {
  silence_reminder: { label: 'Silence reminder', placeholder: 'Are you still there?' },
  closing: { label: 'Before hanging up', placeholder: 'Thank you. Goodbye.' },
  voicemail: { label: 'Voicemail message', placeholder: 'The welcome message and a request to call back' },
  transfer: { label: 'Before a transfer', placeholder: 'One moment, please. I am connecting you.' },
  briefing: {
    label: 'Briefing before a transfer',
    placeholder: 'Call from {{caller}}. {{reason}} Press any key to take the call.',
  },
  handoff: { label: 'Before a hand-off', placeholder: 'A colleague will call you back. Goodbye.' },
  hold: { label: 'While a tool runs', placeholder: 'One moment, please.' },
  not_understood: {
    label: 'After unclear speech',
    placeholder: 'I am sorry, I did not understand that. Could you say that once more, please?',
  },
  say_again: {
    label: 'After a technical problem',
    placeholder: 'I am sorry, we have a technical problem here. Could you say that once more, please?',
  },
  connecting: {
    label: 'Technical problem, then transfer',
    placeholder: 'I am sorry, we have a technical problem here. I am connecting you to a colleague.',
  },
  call_back: {
    label: 'Technical problem, then call back',
    placeholder: 'I am sorry, we have a technical problem here. A colleague will call you back.',
  },
  try_later: {
    label: 'Technical problem, no call back',
    placeholder: 'I am sorry, we have a technical problem here. Please try again later.',
  },
}

/** What the agent says on calls without its model or rules. */
export function PhrasesSection({ form }: { form: AgentForm }) {
  const { values, set } = form
  return (
    <AgentSection
      id="phrases"
      title="Call phrases"
      text="Leave a phrase empty to use the default in the agent’s language."
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        {phraseNames.map((name) => (
          <Textarea
            key={name}
            {...labels[name]}
            autosize
            minRows={1}
            maxRows={4}
            maxLength={1000}
            value={values.phrases[name]}
            error={form.errors[`phrases.${name}`]}
            onChange={(event) => set('phrases', { ...values.phrases, [name]: event.currentTarget.value })}
          />
        ))}
      </SimpleGrid>
    </AgentSection>
  )
}
