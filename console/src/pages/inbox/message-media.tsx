import type { api as types } from '@frontdesk/sdk'
import { Modal, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDownload, IconFile, IconFileOff, IconLoader2 } from '@tabler/icons-react'
import { useState } from 'react'
import { fileAddress } from '../../data/api.ts'
import { sizeOf } from '../../ui/size.ts'
import classes from './inbox.module.css'
import { isAwaitingFile } from './threads.ts'

/** The service may be behind a proxy, so files are requested from the page's own origin. */
export const mediaAddress = (url: string): string => fileAddress(new URL(url, location.origin).pathname)

/** The file of a message. Each kind has a fixed size before it is loaded, so that the thread does not jump. */
export function MessageMedia({ message }: { message: types.Message }) {
  const { media_url, media_size, message_type, media_mime_type } = message
  const [isBroken, setBroken] = useState(false)
  if (!media_url) return null
  if (isAwaitingFile(message))
    return <FileCard message={message} icon={<IconLoader2 size={20} className={classes.spin} />} note="Downloading…" />
  if (media_size === null)
    return <FileCard message={message} icon={<IconFileOff size={20} />} note="Could not download this file" />
  const address = mediaAddress(media_url)
  if (!isBroken && message_type === 'image' && isPicture(media_mime_type))
    return <Picture address={address} message={message} onBroken={() => setBroken(true)} />
  if (!isBroken && message_type === 'video')
    return (
      // biome-ignore lint/a11y/useMediaCaption: videos from customers have no captions
      <video className={classes.video} src={address} controls preload="metadata" onError={() => setBroken(true)} />
    )
  if (!isBroken && message_type === 'audio')
    return (
      // biome-ignore lint/a11y/useMediaCaption: voice messages have no captions
      <audio className={classes.audio} src={address} controls preload="none" onError={() => setBroken(true)} />
    )
  return <FileCard message={message} icon={<IconFile size={20} />} address={address} />
}

const isPicture = (mimeType: string | null) => /^image\/(jpeg|png|gif|webp)\b/.test(mimeType ?? '')

export const fileName = ({ media_filename, message_type }: types.Message): string =>
  media_filename ||
  { image: 'Image', video: 'Video', audio: 'Voice message', document: 'Document', text: 'File' }[message_type]

function Picture({ address, message, onBroken }: { address: string; message: types.Message; onBroken(): void }) {
  const [opened, { open, close }] = useDisclosure()
  const label = message.body || fileName(message)
  return (
    <>
      <UnstyledButton className={classes.picture} onClick={open} aria-label={`Open image: ${label}`}>
        <img src={address} alt={label} loading="lazy" onError={onBroken} />
      </UnstyledButton>
      <Modal opened={opened} onClose={close} size="auto" title={fileName(message)} centered>
        <img src={address} alt={label} className={classes.wholePicture} />
      </Modal>
    </>
  )
}

interface FileCardProps {
  message: types.Message
  icon: React.ReactNode
  address?: string
  note?: string
}

function FileCard({ message, icon, address, note }: FileCardProps) {
  const facts = [note, message.media_size !== null && sizeOf(message.media_size), kindOf(message)]
  const inside = (
    <>
      {icon}
      <span className={classes.fileWords}>
        <Text span size="sm" fw={550} truncate display="block">
          {fileName(message)}
        </Text>
        <span className={classes.fileFacts}>{facts.filter(Boolean).join(' · ')}</span>
      </span>
      {address && <IconDownload size={16} />}
    </>
  )
  return address ? (
    <a className={classes.file} href={address} download={message.media_filename ?? true}>
      {inside}
    </a>
  ) : (
    <div className={classes.file}>{inside}</div>
  )
}

/** The file type, from the extension or else the MIME type. */
const kindOf = ({ media_filename, media_mime_type }: types.Message) =>
  (/\.(\w{1,5})$/.exec(media_filename ?? '')?.[1] ?? media_mime_type?.split(';')[0]?.split('/')[1])
    ?.toUpperCase()
    .slice(0, 12)
