import type { api as types } from '@frontdesk/sdk'
import { Modal, Textarea, TextInput } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useApiForm } from '../../data/use-api-form.ts'
import { CollectionSelect } from '../../records/knowledge/collection-select.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { linesOf } from '../../ui/lines-of.ts'
import { VariantsField } from './variants-field.tsx'

const longestQuestion = 500
/** Longer messages say more than the question. */
const longestVariant = 150

/** How else customers asked. */
const wordingsOf = ({ question, examples }: types.KnowledgeGap): string[] => [
  ...new Set(
    examples
      .map(({ text }) => text.replace(/\s+/g, ' ').trim())
      .filter((text) => text.length <= longestVariant && text.toLowerCase() !== question.trim().toLowerCase()),
  ),
]

interface Props {
  gap: types.KnowledgeGap
  close(): void
  onSaved(): void
}

/** Answers a gap: the answer becomes an FAQ. */
export function GapForm({ opened, ...props }: Props & { opened: boolean }) {
  return (
    <Modal opened={opened} onClose={props.close} title="Answer question" size="lg">
      <Form {...props} />
    </Modal>
  )
}

function Form({ gap, close, onSaved }: Props) {
  const form = useApiForm({
    initialValues: {
      question: gap.question.slice(0, longestQuestion).toWellFormed(),
      variants: wordingsOf(gap).join('\n'),
      answer: '',
      collection_ids: [] as string[],
    },
    async submit(values) {
      await api.knowledge.answerGap(gap.id, { ...values, variants: linesOf(values.variants) })
      onSaved()
    },
  })
  return (
    <DialogForm form={form} action="Save as FAQ" cancel={close}>
      <TextInput
        label="Question"
        description="Reword it if needed. Leave out names and other personal details."
        required
        maxLength={longestQuestion}
        dir="auto"
        {...form.field('question')}
      />
      <VariantsField
        description="As customers asked, one per line. Leave out personal details here too."
        {...form.field('variants')}
      />
      <Textarea
        label="Answer"
        required
        maxLength={8000}
        autosize
        minRows={4}
        maxRows={14}
        data-autofocus
        dir="auto"
        {...form.field('answer')}
      />
      <CollectionSelect
        description="Agents that answer only from certain collections need the FAQ in one of them."
        value={form.values.collection_ids}
        error={form.errors.collection_ids}
        onChange={(ids) => form.set('collection_ids', ids)}
      />
    </DialogForm>
  )
}
