import { Modal } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useApiForm } from '../../data/use-api-form.ts'
import { DocumentSelect } from '../../records/knowledge/document-select.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'

interface Props {
  collectionId: string
  close(): void
  onSaved(): void
}

/** Puts documents into a collection. */
export function AddDocuments({ opened, ...props }: Props & { opened: boolean }) {
  return (
    <Modal opened={opened} onClose={props.close} title="Add documents">
      <Form {...props} />
    </Modal>
  )
}

function Form({ collectionId, close, onSaved }: Props) {
  const form = useApiForm({
    initialValues: { document_ids: [] as string[] },
    check: ({ document_ids }): Record<string, string> =>
      document_ids.length === 0 ? { document_ids: 'Choose a document' } : {},
    // After an error the form is sent again: a document that is in the collection already stays in it.
    async submit({ document_ids }) {
      for (const id of document_ids) await api.knowledge.addDocumentToCollection(collectionId, id)
      onSaved()
    },
  })
  return (
    <DialogForm form={form} action="Add documents" cancel={close}>
      <DocumentSelect
        label="Documents"
        description="Files, web pages and FAQs"
        data-autofocus
        isHidden={({ collection_ids }) => collection_ids.includes(collectionId)}
        value={form.values.document_ids}
        error={form.errors.document_ids}
        onChange={(ids) => form.set('document_ids', ids)}
      />
    </DialogForm>
  )
}
