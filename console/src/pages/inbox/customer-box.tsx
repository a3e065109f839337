import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, CloseButton, FileButton, Menu, TextInput, Tooltip } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconChevronDown, IconChevronUp, IconPaperclip, IconSend2 } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import classes from './inbox.module.css'
import { Quote } from './message-bubble.tsx'
import { complain } from './tickets.ts'

interface Props {
  name: string
  quoted: types.Message | undefined
  onUnquote(): void
  /** Resolves to whether the simulator accepted the message. */
  onWrite(message: types.SimulatedMessage): Promise<boolean>
}

const samples = [
  ['image', 'A picture'],
  ['audio', 'Voice message'],
  ['document', 'A document'],
  ['location', 'Location'],
] as const

const largestBytes = 4 * 1024 * 1024

/** Sends messages as the customer, in test mode. */
export function CustomerBox({ name, quoted, onUnquote, onWrite }: Props) {
  const [isOpen, setOpen] = useLocalStorage({ key: 'customer-box', defaultValue: true })
  const [text, setText] = useState('')
  const [isWorking, setWorking] = useState(false)
  const reset = useRef<() => void>(null)

  async function write(message: types.SimulatedMessage): Promise<void> {
    setWorking(true)
    const context = quoted && { message: { context: { id: quoted.chat_message_id } } }
    const words = text.trim()
    if (await onWrite({ ...(words && { text: words }), ...context, ...message })) {
      setText('')
      onUnquote()
    }
    setWorking(false)
  }

  async function writeFile(file: File | null): Promise<void> {
    reset.current?.()
    if (!file) return
    if (file.size > largestBytes) {
      complain('This file is too large', new Error('The simulator accepts files up to 4 MB.'))
      return
    }
    const kind = /^(image|audio|video)\//.exec(file.type)?.[1] ?? 'document'
    const base64 = await asBase64(file)
    const mime_type = file.type || 'application/octet-stream'
    await write({ type: kind, media: { base64, mime_type, filename: file.name } })
  }

  return (
    <div className={classes.customer}>
      <button type="button" className={classes.customerHead} onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
        {isOpen ? <IconChevronDown size={14} /> : <IconChevronUp size={14} />}
        Test mode: write as the customer
      </button>
      {isOpen && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (text.trim()) void write({})
          }}
        >
          {quoted && (
            <div className={classes.quoting}>
              <Quote quoted={quoted} senderName={name} />
              <CloseButton size="sm" onClick={onUnquote} aria-label="Cancel the customer’s reply" />
            </div>
          )}
          <div className={classes.writing}>
            <Menu position="top-start">
              <Menu.Target>
                <Tooltip label="Send a file as the customer">
                  <ActionIcon variant="subtle" color="gray" aria-label="Send a file as the customer">
                    <IconPaperclip size={16} />
                  </ActionIcon>
                </Tooltip>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Label>The customer sends</Menu.Label>
                {samples.map(([type, label]) => (
                  <Menu.Item key={type} onClick={() => void write({ type })}>
                    {label}
                  </Menu.Item>
                ))}
                <Menu.Item
                  onClick={() => void write({ text: text.trim() || 'Is this still available?', referral: {} })}
                >
                  A message from an ad
                </Menu.Item>
                <Menu.Divider />
                <FileButton onChange={(file) => void writeFile(file)} resetRef={reset}>
                  {(props) => (
                    <Menu.Item {...props} closeMenuOnClick={false}>
                      Choose a file…
                    </Menu.Item>
                  )}
                </FileButton>
              </Menu.Dropdown>
            </Menu>
            <TextInput
              size="xs"
              flex={1}
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
              placeholder={`What would ${name} write?`}
              aria-label="Write as the customer"
              dir="auto"
            />
            <Tooltip label="Send as the customer">
              <ActionIcon
                type="submit"
                variant="light"
                color="yellow"
                loading={isWorking}
                disabled={!text.trim()}
                aria-label="Send as the customer"
              >
                <IconSend2 size={16} />
              </ActionIcon>
            </Tooltip>
          </div>
        </form>
      )}
    </div>
  )
}

const asBase64 = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '')
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
