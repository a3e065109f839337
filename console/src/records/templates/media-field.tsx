import '@mantine/dropzone/styles.layer.css'
import type { api as types } from '@frontdesk/sdk'
import { Group, Input, Progress, Text, TextInput } from '@mantine/core'
import { Dropzone, type FileRejection } from '@mantine/dropzone'
import { IconFileCheck, IconUpload } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { apiWith } from '../../data/api.ts'
import { fetchWithProgress } from '../../data/fetch-with-progress.ts'
import { useSession } from '../../data/session.tsx'
import { errorText } from '../../ui/error-text.ts'
import { sizeOf } from '../../ui/size.ts'
import classes from './media-field.module.css'
import { isStoredFile, storedFileAddress } from './stored-files.ts'

const megabyte = 1024 * 1024

const kinds: Record<string, { accept: string[]; types: string; maxBytes: number }> = {
  IMAGE: { accept: ['image/jpeg', 'image/png'], types: 'JPEG or PNG', maxBytes: 5 * megabyte },
  VIDEO: { accept: ['video/mp4'], types: 'MP4', maxBytes: 16 * megabyte },
  DOCUMENT: { accept: ['application/pdf'], types: 'PDF', maxBytes: 100 * megabyte },
}

/** A file for a header, dropped or chosen, and uploaded at once. */
export function MediaField({
  label,
  description,
  format,
  channelId,
  isSample = false,
  value,
  hasFile = isStoredFile(value),
  error,
  onChange,
}: {
  label: string
  description?: string
  format: string
  channelId: string
  /** WhatsApp's reviewers get it too. Only files, no URLs. */
  isSample?: boolean
  /** The ID of a stored file, or a URL. */
  value: string
  /** A sample of an earlier template has a handle, but maybe no stored file. */
  hasFile?: boolean
  error?: ReactNode
  onChange(value: string, uploaded?: types.TemplateMedia): void
}) {
  const { mode } = useSession()
  const [share, setShare] = useState<number>()
  const [problem, setProblem] = useState<string>()
  const [fileName, setFileName] = useState('')
  // The form may change while a file is uploaded.
  const latest = useRef(onChange)
  latest.current = onChange
  const kind = kinds[format]
  if (!kind) return null
  const rule = `${kind.types}, up to ${sizeOf(kind.maxBytes)}`

  async function upload(file: File | undefined) {
    if (!file) return
    setProblem(undefined)
    setFileName(file.name)
    setShare(0)
    try {
      const api = apiWith({ mode, timeoutMs: 900_000, fetch: fetchWithProgress(setShare) })
      const media = await api.templates.uploadMedia({ file, channel_id: channelId, sample: isSample })
      latest.current(media.id, media)
    } catch (failure) {
      setProblem(`${file.name} was not uploaded. ${errorText(failure)}`)
    } finally {
      setShare(undefined)
    }
  }

  function refuse([rejection]: FileRejection[]) {
    if (!rejection) return
    const { file, errors } = rejection
    const isTooLarge = errors.every(({ code }) => code === 'file-too-large')
    setProblem(`${file.name} ${isTooLarge ? `has ${sizeOf(file.size)}` : 'is another type of file'}. Choose a ${rule}.`)
  }

  const status =
    share === undefined
      ? hasFile
        ? 'Uploaded. Drop another file to replace it.'
        : rule
      : share < 1
        ? `Uploading, ${Math.floor(share * 100)}%`
        : isSample
          ? 'Passing it on to WhatsApp…'
          : 'Storing it…'
  return (
    <Input.Wrapper label={label} description={description} error={problem ?? error} labelElement="div">
      <Dropzone
        mt={6}
        p="sm"
        onDrop={(files: File[]) => void upload(files[0])}
        onReject={refuse}
        accept={kind.accept}
        maxSize={kind.maxBytes}
        multiple={false}
        disabled={share !== undefined}
        aria-label={`Choose a file: ${label}`}
        inputProps={{ 'aria-label': label }}
      >
        <Group gap="sm" wrap="nowrap" style={{ pointerEvents: 'none' }}>
          {isStoredFile(value) && format === 'IMAGE' ? (
            <img className={classes.thumbnail} src={storedFileAddress(value)} alt="" />
          ) : hasFile ? (
            <IconFileCheck size={28} stroke={1.4} aria-hidden />
          ) : (
            <IconUpload size={28} stroke={1.4} aria-hidden />
          )}
          <div>
            <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
              {(hasFile || share !== undefined) && fileName
                ? fileName
                : hasFile
                  ? 'Your file'
                  : 'Drop a file here, or click to choose one'}
            </Text>
            <Text size="xs" c="dimmed" aria-live="polite">
              {status}
            </Text>
          </div>
        </Group>
      </Dropzone>
      {share !== undefined && <Progress value={share * 100} mt={6} size="sm" aria-label="Upload progress" />}
      {!isSample && !hasFile && (
        <TextInput
          mt={6}
          size="xs"
          aria-label={`URL: ${label}`}
          placeholder="Or enter a public URL: https://…"
          inputMode="url"
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
        />
      )}
    </Input.Wrapper>
  )
}
