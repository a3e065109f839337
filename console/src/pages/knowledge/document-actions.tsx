import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconDownload, IconRocket, IconTrash } from '@tabler/icons-react'
import { api, apiWith, fileAddress } from '../../data/api.ts'
import { IfMay, useSession } from '../../data/session.tsx'
import { useRefresh } from '../../data/use-records.ts'
import { askFirst } from '../../ui/ask-first.tsx'
import { showDone } from '../../ui/undo.tsx'

export const downloadAddress = (id: string) => fileAddress(`/api/v1/knowledge-base/${id}/download`)

/** Actions on a document, from its row or its page. */
export function useDocumentActions() {
  const refresh = useRefresh('documents')
  const { mode } = useSession()
  return {
    canPromote: ({ status }: types.Document) => mode === 'test' && status === 'ready',
    promote({ id, file_name }: types.Document) {
      askFirst({
        title: `Copy ${file_name} to live mode?`,
        consequence:
          'Live agents use it to answer real customers immediately. The document in test mode does not change.',
        action: 'Copy to live mode',
        isHarmless: true,
        run: async () => {
          await apiWith({ mode: 'live' }).knowledge.promoteDocument(id)
          showDone(`Copied ${file_name} to live mode`)
        },
      })
    },
    remove(
      { id, file_name, chunk_count }: types.Document,
      around: (deleting: () => Promise<unknown>) => Promise<unknown> = (deleting) => deleting(),
    ) {
      const passages = chunk_count === 1 ? 'its passage' : `its ${chunk_count.toLocaleString()} passages`
      askFirst({
        title: `Delete ${file_name}?`,
        consequence: `Agents stop using it immediately. The file${chunk_count > 0 ? ` and ${passages}` : ''} cannot be restored.`,
        action: 'Delete document',
        run: async () => {
          await around(() => api.knowledge.deleteDocument(id))
          await refresh()
        },
      })
    },
  }
}

export function DocumentMenu({ document }: { document: types.Document }) {
  const { canPromote, promote, remove } = useDocumentActions()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${document.file_name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component="a"
          href={downloadAddress(document.id)}
          download={document.file_name}
          leftSection={<IconDownload size={14} />}
        >
          Download
        </Menu.Item>
        <IfMay scope="knowledge:write">
          {canPromote(document) && (
            <Menu.Item leftSection={<IconRocket size={14} />} onClick={() => promote(document)}>
              Copy to live mode
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<IconTrash size={14} />} onClick={() => remove(document)}>
            Delete
          </Menu.Item>
        </IfMay>
      </Menu.Dropdown>
    </Menu>
  )
}
