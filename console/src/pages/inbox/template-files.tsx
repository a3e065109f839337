import { Modal, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFile } from '@tabler/icons-react'
import { useState } from 'react'
import { isStoredFile, storedFileAddress } from '../../records/templates/stored-files.ts'
import classes from './inbox.module.css'

/** The file in the header of a template's message; of a carousel, one per card. */
export function TemplateFiles({ variables }: { variables: unknown }) {
  const files = Object.entries((variables ?? {}) as Record<string, string>).filter(([key]) =>
    /^(card\.\d+\.)?header$/.test(key),
  )
  if (files.length === 0) return null
  return (
    <div className={classes.templateFiles} data-several={files.length > 1 || undefined}>
      {files.map(([key, file]) => (
        <HeaderFile key={key} file={file} />
      ))}
    </div>
  )
}

/** The message does not say what the file is: what is no picture is offered as a file. */
function HeaderFile({ file }: { file: string }) {
  const [isPicture, setPicture] = useState(isStoredFile(file))
  const [opened, { open, close }] = useDisclosure()
  const address = isStoredFile(file) ? storedFileAddress(file) : file
  if (!isPicture) {
    const name = isStoredFile(file) ? 'Header file' : file.split(/[?#]/)[0]?.split('/').pop() || 'Header file'
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
  return (
    <>
      <UnstyledButton className={classes.picture} onClick={open} aria-label="Open image: header">
        <img src={address} alt="Header" loading="lazy" onError={() => setPicture(false)} />
      </UnstyledButton>
      <Modal opened={opened} onClose={close} size="auto" title="Image" centered>
        <img src={address} alt="Header" className={classes.wholePicture} />
      </Modal>
    </>
  )
}
