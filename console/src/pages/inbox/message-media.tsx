import type { api as types } from '@frontdesk/sdk'
import { Modal, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDownload, IconFile, IconFileOff, IconLoader2 } from '@tabler/icons-react'
import { useState } from 'react'
import { fileAddress } from '../../data/api.ts'
import { sizeOf } from '../../ui/size.ts'
import classes from './inbox.module.css'
import { isAwaitingFile } from './threads.ts'

/** The service's own address may be behind a proxy: the page asks where it came from. */
export const mediaAddress = (url: string): string => fileAddress(new URL(url, location.origin).pathname)

/** The file of a message, as far as a browser can show it. Each kind has its size before it is loaded: nothing jumps. */
export function MessageMedia({ message }: { message: types.Message }) {
  const { media_url, media_size, message_type, media_mime_type } = message
  const [isBroken, setBroken] = useState(false)
  if (!media_url) return null
  if (isAwaitingFile(message))
    return (
      <FileCard message={message} icon={<IconLoader2 size={20} className={classes.spin} />} note="Being fetched …" />
    )
  if (media_size === null)
    return <FileCard message={message} icon={<IconFileOff size={20} />} note="This file could not be fetched" />
  const address = mediaAddress(media_url)
  if (!isBroken && message_type === 'image' && isPicture(media_mime_type))
    return <Picture address={address} message={message} onBroken={() => setBroken(true)} />
  if (!isBroken && message_type === 'video')
    return (
      // biome-ignore lint/a11y/useMediaCaption: what people film has no captions
      <video className={classes.video} src={address} controls preload="metadata" onError={() => setBroken(true)} />
    )
  if (!isBroken && message_type === 'audio')
    return (
      // biome-ignore lint/a11y/useMediaCaption: what people say into their phones has no captions
      <audio className={classes.audio} src={address} controls preload="none" onError={() => setBroken(true)} />
    )
  return <FileCard message={message} icon={<IconFile size={20} />} address={address} />
}

const isPicture = (mimeType: string | null) => /^image\/(jpeg|png|gif|webp)\b/.test(mimeType ?? '')

export const fileName = ({ media_filename, message_type }: types.Message): string =>
  media_filename ||
  { image: 'Picture', video: 'Video', audio: 'Voice message', document: 'Document', text: 'File' }[message_type]

function Picture({ address, message, onBroken }: { address: string; message: types.Message; onBroken(): void }) {
  const [opened, { open, close }] = useDisclosure()
  const label = message.body || fileName(message)
  return (
    <>
      <UnstyledButton className={classes.picture} onClick={open} aria-label={`Open the picture: ${label}`}>
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

/** As people call it: by the end of its name, else by what it is said to be. */
const kindOf = ({ media_filename, media_mime_type }: types.Message) =>
  (/\.(\w{1,5})$/.exec(media_filename ?? '')?.[1] ?? media_mime_type?.split(';')[0]?.split('/')[1])
    ?.toUpperCase()
    .slice(0, 12)
