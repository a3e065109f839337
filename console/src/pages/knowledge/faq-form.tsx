import type { api as types } from '@frontdesk/sdk'
import { Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useApiForm } from '../../data/use-api-form.ts'
import { FormButtons } from '../../ui/form-buttons.tsx'

interface Props {
  /** Undefined for a new one. */
  faq: types.Faq | undefined
  close(): void
  onSaved(): void
}

export function FaqForm({ opened, ...props }: Props & { opened: boolean }) {
  return (
    <Modal opened={opened} onClose={props.close} title={props.faq ? 'Edit FAQ' : 'New FAQ'} size="lg">
      <Form {...props} />
    </Modal>
  )
}

function Form({ faq, close, onSaved }: Props) {
  const form = useApiForm({
    initialValues: {
      question: faq?.question ?? '',
      answer: faq?.answer ?? '',
      variants: faq?.variants.join('\n') ?? '',
    },
    async submit({ question, answer, variants }) {
      const lines = variants.split('\n').flatMap((line) => line.trim() || [])
      const values = { question, answer, variants: lines }
      await (faq ? api.faqs.update(faq.id, values) : api.faqs.create(values))
      onSaved()
    },
  })
  return (
    <form onSubmit={form.onSubmit}>
      <Stack gap="md">
        <TextInput
          label="Question"
          placeholder="How long does a refund take?"
          required
          data-autofocus
          dir="auto"
          {...form.field('question')}
        />
        <Textarea
          label="Other ways to ask it"
          description="One per line"
          placeholder="When do I get my money back?"
          autosize
          minRows={2}
          maxRows={8}
          dir="auto"
          {...form.field('variants')}
        />
        <Textarea label="Answer" required autosize minRows={4} maxRows={14} dir="auto" {...form.field('answer')} />
        <FormButtons form={form} action={faq ? 'Save changes' : 'Add FAQ'} cancel={close} />
      </Stack>
    </form>
  )
}
