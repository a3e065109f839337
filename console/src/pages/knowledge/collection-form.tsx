import type { api as types } from '@frontdesk/sdk'
import { Modal, Textarea, TextInput } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useApiForm } from '../../data/use-api-form.ts'
import { DocumentSelect } from '../../records/knowledge/document-select.tsx'
import { DialogForm } from '../../ui/dialog-form.tsx'

interface Props {
  /** Undefined for a new one. */
  collection?: types.Collection | undefined
  close(): void
  onSaved(): void
}

export function CollectionForm({ opened, ...props }: Props & { opened: boolean }) {
  const title = props.collection ? 'Edit collection' : 'New collection'
  return (
    <Modal opened={opened} onClose={props.close} title={title}>
      <Form {...props} />
    </Modal>
  )
}

function Form({ collection, close, onSaved }: Props) {
  const form = useApiForm({
    initialValues: {
      name: collection?.name ?? '',
      description: collection?.description ?? '',
      document_ids: [] as string[],
    },
    async submit({ name, description, document_ids }) {
      await (collection
        ? api.knowledge.updateCollection(collection.id, { name, description })
        : api.knowledge.createCollection({ name, description, document_ids }))
      onSaved()
    },
  })
  return (
    <DialogForm form={form} action={collection ? 'Save changes' : 'Create collection'} cancel={close}>
      <TextInput
        label="Name"
        placeholder="Delivery"
        required
        maxLength={100}
        data-autofocus
        dir="auto"
        {...form.field('name')}
      />
      <Textarea
        label="Description"
        placeholder="Shipping times, prices and returns"
        maxLength={1000}
        autosize
        minRows={2}
        maxRows={6}
        dir="auto"
        {...form.field('description')}
      />
      {!collection && (
        <DocumentSelect
          label="Documents"
          description="You can add more later."
          value={form.values.document_ids}
          error={form.errors.document_ids}
          onChange={(ids) => form.set('document_ids', ids)}
        />
      )}
    </DialogForm>
  )
}
