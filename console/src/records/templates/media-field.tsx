import '@mantine/dropzone/styles.layer.css'
import type { api as types } from '@frontdesk/sdk'
import { Group, Input, Progress, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconUpload } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { apiWith } from '../../data/api.ts'
import { fetchWithProgress } from '../../data/fetch-with-progress.ts'
import { useSession } from '../../data/session.tsx'
import { errorText } from '../../ui/error-text.ts'

const kinds: Record<string, { accept: string[]; words: string; maxSize: number }> = {
  IMAGE: { accept: ['image/jpeg', 'image/png'], words: 'JPEG or PNG, up to 5 MB', maxSize: 5 },
  VIDEO: { accept: ['video/mp4'], words: 'MP4, up to 16 MB', maxSize: 16 },
  DOCUMENT: { accept: ['application/pdf'], words: 'PDF, up to 100 MB', maxSize: 100 },
}

interface UploadedMedia {
  media: types.TemplateMedia
  /** Shows the file in this page. */
  address: string
}

/** A file for a header, dropped or chosen, and uploaded at once. */
export function MediaField({
  label,
  description,
  format,
  channelId,
  isSample,
  error,
  onUploaded,
}: {
  label: string
  description?: string
  format: string
  channelId: string
  /** Whether WhatsApp's reviewers get it too. */
  isSample: boolean
  error?: ReactNode
  onUploaded(uploaded: UploadedMedia): void
}) {
  const { mode } = useSession()
  const [share, setShare] = useState<number>()
  const [problem, setProblem] = useState<string>()
  const [uploaded, setUploaded] = useState<UploadedMedia>()
  useEffect(() => () => void (uploaded && URL.revokeObjectURL(uploaded.address)), [uploaded])
  const kind = kinds[format] ?? kinds.IMAGE
  if (!kind) return null

  async function upload(file: File | undefined) {
    if (!file) return
    setProblem(undefined)
    setShare(0)
    try {
      const api = apiWith({ mode, timeoutMs: 900_000, fetch: fetchWithProgress(setShare) })
      const media = await api.templates.uploadMedia({ file, channel_id: channelId, sample: isSample })
      const done = { media, address: URL.createObjectURL(file) }
      setUploaded(done)
      onUploaded(done)
    } catch (failure) {
      setProblem(errorText(failure))
    } finally {
      setShare(undefined)
    }
  }

  return (
    <Input.Wrapper label={label} description={description} error={problem ?? error} labelElement="div">
      <Dropzone
        mt={6}
        p="sm"
        onDrop={(files: File[]) => void upload(files[0])}
        onReject={() => setProblem(`Choose a file of this kind: ${kind.words}`)}
        accept={kind.accept}
        maxSize={kind.maxSize * 1024 * 1024}
        multiple={false}
        disabled={share !== undefined}
        inputProps={{ 'aria-label': label }}
      >
        <Group gap="sm" wrap="nowrap" style={{ pointerEvents: 'none' }}>
          <IconUpload size={24} stroke={1.4} aria-hidden />
          <div>
            <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
              {uploaded ? uploaded.media.file_name : 'Drop a file here, or click to choose one'}
            </Text>
            <Text size="xs" c="dimmed">
              {uploaded ? 'Uploaded. Drop another file to replace it.' : kind.words}
            </Text>
          </div>
        </Group>
      </Dropzone>
      {share !== undefined && <Progress value={share * 100} mt={6} size="sm" aria-label="Upload progress" />}
    </Input.Wrapper>
  )
}
