import type { api as types } from '@frontdesk/sdk'
import { Button, FileButton } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconReplace } from '@tabler/icons-react'
import { useState } from 'react'
import { apiWith } from '../../data/api.ts'
import { useSession } from '../../data/session.tsx'
import { useRefresh } from '../../data/use-records.ts'
import { errorText } from '../../ui/error-text.ts'
import { acceptedTypes } from './uploads.ts'

/** Uploads a new version; the page shows how it goes. */
export function ReplaceButton({ document }: { document: types.Document }) {
  const { mode } = useSession()
  const refresh = useRefresh('documents')
  const [isWorking, setWorking] = useState(false)
  async function replace(file: File | null) {
    if (!file) return
    setWorking(true)
    try {
      await apiWith({ mode, timeoutMs: 900_000 }).knowledge.replaceDocument(document.id, { file })
    } catch (error) {
      notifications.show({ color: 'red', title: `Could not replace ${document.file_name}`, message: errorText(error) })
    }
    await refresh()
    setWorking(false)
  }
  return (
    <FileButton onChange={replace} accept={acceptedTypes.join(',')}>
      {(props) => (
        <Button variant="default" leftSection={<IconReplace size={16} />} loading={isWorking} {...props}>
          Replace file
        </Button>
      )}
    </FileButton>
  )
}
