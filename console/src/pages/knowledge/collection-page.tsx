import type { api as types } from '@frontdesk/sdk'
import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { LoadRecord } from '../../data/load-record.tsx'
import { IfMay } from '../../data/session.tsx'
import { useRecord, useRefresh } from '../../data/use-records.ts'
import { useDocuments } from '../../records/knowledge/document-select.tsx'
import { NewButton } from '../../ui/add-button.tsx'
import { askFirst } from '../../ui/ask-first.tsx'
import { RecordPage } from '../../ui/record-page.tsx'
import { showDone, showFault } from '../../ui/undo.tsx'
import { AddDocuments } from './add-documents.tsx'
import { CollectionForm } from './collection-form.tsx'
import { DocumentList } from './document-list.tsx'

export function CollectionPage() {
  const { collectionId = '' } = useParams()
  // While the collection is being deleted it is not requested again.
  const [isGoing, setGoing] = useState(false)
  const query = useRecord(
    ['collections', collectionId],
    (signal) => api.knowledge.getCollection(collectionId, { signal }),
    { enabled: !isGoing },
  )
  return (
    <LoadRecord what="Collection" id={collectionId} query={query}>
      {(collection) => <Loaded collection={collection} setGoing={setGoing} />}
    </LoadRecord>
  )
}

function Loaded({ collection, setGoing }: { collection: types.Collection; setGoing(isGoing: boolean): void }) {
  const { id, name, description } = collection
  const navigate = useNavigate()
  const refresh = useRefresh('collections', 'documents')
  const documents = useDocuments()
  const [opened, setOpened] = useState<'edit' | 'add'>()
  const close = () => setOpened(undefined)
  const rows = documents.data?.documents.filter(({ collection_ids }) => collection_ids.includes(id)) ?? []

  const remove = () =>
    askFirst({
      title: `Delete ${name}?`,
      consequence: 'Agents that use this collection stop answering from it immediately. Its documents are kept.',
      action: 'Delete collection',
      run: async () => {
        setGoing(true)
        await api.knowledge.deleteCollection(id).catch((problem) => {
          setGoing(false)
          throw problem
        })
        await navigate('/knowledge/collections')
        await refresh()
      },
    })
  async function takeOut(document: types.Document) {
    try {
      await api.knowledge.removeDocumentFromCollection(id, document.id)
      showDone(`Removed ${document.file_name}`, async () => {
        await api.knowledge.addDocumentToCollection(id, document.id)
        await refresh()
      })
    } catch (error) {
      showFault(error, `Could not remove ${document.file_name}`)
    }
    await refresh()
  }

  const addButton = (
    <IfMay scope="knowledge:write">
      <NewButton onClick={() => setOpened('add')}>Add documents</NewButton>
    </IfMay>
  )
  return (
    <RecordPage
      list={{ to: '/knowledge/collections', label: 'Collections' }}
      title={name}
      id={id}
      details={description && <bdi>{description}</bdi>}
      actions={
        <>
          <ApiRequest method="GET" path={`/knowledge-base/collections/${id}`} />
          <IfMay scope="knowledge:write">
            <Button variant="default" onClick={() => setOpened('edit')}>
              Edit
            </Button>
            <Button variant="default" leftSection={<IconTrash size={16} />} onClick={remove}>
              Delete
            </Button>
          </IfMay>
          {addButton}
        </>
      }
    >
      <DocumentList
        documents={{ ...documents, rows, isFiltered: false, clear: () => {} }}
        withKind
        empty={{
          title: 'This collection is empty',
          text: 'Add files, web pages or FAQs. Agents that use the collection answer from them immediately.',
          action: addButton,
        }}
        action={(document) => (
          <IfMay scope="knowledge:write">
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => void takeOut(document)}
              aria-label={`Remove ${document.file_name}`}
            >
              Remove
            </Button>
          </IfMay>
        )}
      />
      <CollectionForm
        key={collection.updated_at}
        collection={collection}
        opened={opened === 'edit'}
        close={close}
        onSaved={() => {
          close()
          void refresh()
        }}
      />
      <AddDocuments
        collectionId={id}
        opened={opened === 'add'}
        close={close}
        onSaved={() => {
          close()
          void refresh()
        }}
      />
    </RecordPage>
  )
}
