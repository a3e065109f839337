import type { api as types } from '@frontdesk/sdk'
import { Modal, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFile } from '@tabler/icons-react'
import { useState } from 'react'
import { isStoredFile, storedFileAddress } from '../../records/templates/stored-files.ts'
import classes from './inbox.module.css'

/** The file in the header of a template's message; of a carousel, one per card. */
export function TemplateFiles({ payload }: Pick<types.Message, 'payload'>) {
  if (!payload?.template) return null
  const { files: formats = {} } = payload.template as { files?: Record<string, string> }
  const files = Object.entries((payload.variables ?? {}) as Record<string, string>).filter(([key]) =>
    /^(card\.\d+\.)?header$/.test(key),
  )
  if (files.length === 0) return null
  return (
    <div className={classes.templateFiles} data-several={files.length > 1 || undefined}>
      {files.map(([key, file]) => (
        <HeaderFile key={key} file={file} format={formats[key]} />
      ))}
    </div>
  )
}

const words: Record<string, string> = { image: 'Image', video: 'Video', document: 'Document' }

/** Older messages do not say what the file is: what is no picture is offered as a file. */
function HeaderFile({ file, format = 'image' }: { file: string; format: string | undefined }) {
  const [isShown, setShown] = useState(isStoredFile(file) && format !== 'document')
  const [opened, { open, close }] = useDisclosure()
  const address = isStoredFile(file) ? storedFileAddress(file) : file
  if (!isShown) {
    const word = words[format] ?? 'Header file'
    const name = isStoredFile(file) ? word : file.split(/[?#]/)[0]?.split('/').pop() || word
    const inside = (
      <>
        <IconFile size={20} aria-hidden />
        <span className={classes.fileWords}>
          <strong>{name}</strong>
        </span>
      </>
    )
    return isStoredFile(file) || /^https?:/.test(file) ? (
      <a className={classes.file} href={address} target="_blank" rel="noreferrer">
        {inside}
      </a>
    ) : (
      <div className={classes.file}>{inside}</div>
    )
  }
  if (format === 'video')
    return (
      // biome-ignore lint/a11y/useMediaCaption: videos of templates have no captions
      <video className={classes.video} src={address} controls preload="metadata" onError={() => setShown(false)} />
    )
  return (
    <>
      <UnstyledButton className={classes.picture} onClick={open} aria-label="Open image: header">
        <img src={address} alt="Header" loading="lazy" onError={() => setShown(false)} />
      </UnstyledButton>
      <Modal opened={opened} onClose={close} size="auto" title="Image" centered>
        <img src={address} alt="Header" className={classes.wholePicture} />
      </Modal>
    </>
  )
}
