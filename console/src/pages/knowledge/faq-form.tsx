import type { api as types } from '@frontdesk/sdk'
import { Modal, Textarea, TextInput } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useApiForm } from '../../data/use-api-form.ts'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { linesOf } from '../../ui/lines-of.ts'
import { VariantsField } from './variants-field.tsx'

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
      const values = { question, answer, variants: linesOf(variants) }
      await (faq ? api.faqs.update(faq.id, values) : api.faqs.create(values))
      onSaved()
    },
  })
  return (
    <DialogForm form={form} action={faq ? 'Save changes' : 'Add FAQ'} cancel={close}>
      <TextInput
        label="Question"
        placeholder="How long does a refund take?"
        required
        data-autofocus
        dir="auto"
        {...form.field('question')}
      />
      <VariantsField
        description="One per line"
        placeholder="When do I get my money back?"
        {...form.field('variants')}
      />
      <Textarea label="Answer" required autosize minRows={4} maxRows={14} dir="auto" {...form.field('answer')} />
    </DialogForm>
  )
}
