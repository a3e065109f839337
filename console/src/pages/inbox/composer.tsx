import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, CloseButton, FileButton, Loader, Text, Textarea, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconListCheck, IconPaperclip, IconSend2, IconTemplate, IconX } from '@tabler/icons-react'
import { type ClipboardEvent, type KeyboardEvent, type Ref, useImperativeHandle, useRef, useState } from 'react'
import { acceptedFiles, fileFault, splitSending } from '../../records/messages/attachments.ts'
import type { NewOutgoing } from '../../records/messages/outbox.ts'
import { type Draft, draftOf, putBack, setDraft, useDraft } from './drafts.ts'
import classes from './inbox.module.css'
import { InteractiveSender } from './interactive-sender.tsx'
import { Quote } from './message-bubble.tsx'
import { FilePreview } from './outgoing-bubble.tsx'
import { typedCommand, useSavedReplies } from './saved-reply-picker.tsx'
import { SendLater } from './send-later.tsx'
import { nameOf, type Ticket } from './tickets.ts'

export interface ComposerHandle {
  focus(): void
  attach(files: File[]): void
  text(): string
  /** Puts another text in place of the current one, for the member to edit. */
  replace(text: string): void
}

const longestText = 4096

interface Props {
  ticket: Ticket
  quoted: types.Message | undefined
  onUnquote(): void
  /** False if the messages were not sent: they then stay in the composer. */
  onSend(messages: NewOutgoing[]): boolean
  /** Takes the last message back. False if none is held. */
  onUndo(): boolean
  onTyping(): void
  /** Its text was sent, scheduled or deleted. */
  onEmptied(): void
  /** Asked before a reply is scheduled: true keeps it in the composer. */
  isOvertaken(): boolean
  onTemplate(): void
  handle: Ref<ComposerHandle>
}

export function Composer(props: Props) {
  const { ticket, quoted, onUnquote, onSend, onTyping, isOvertaken, onTemplate, handle } = props
  const draft = useDraft(ticket.id)
  const [isBuilding, building] = useDisclosure()
  const input = useRef<HTMLTextAreaElement>(null)
  const change = (next: Draft) => {
    setDraft(ticket.id, next)
    if (draft.text !== '' && next.text === '') props.onEmptied()
  }
  const attach = (files: File[]) => {
    if (files.length === 0) return
    change({ ...draft, files: [...draft.files, ...files] })
    input.current?.focus()
  }
  useImperativeHandle(handle, () => ({
    focus: () => input.current?.focus(),
    attach,
    text: () => draft.text,
    replace(text) {
      change({ ...draft, text, savedReplyId: undefined })
      input.current?.focus()
    },
  }))

  const [isDismissed, setDismissed] = useState(false)
  const replies = useSavedReplies(
    isDismissed ? undefined : typedCommand(draft.text),
    ({ id, body }, files, typed) => {
      // What was written while the files were loading stays.
      const now = draftOf(ticket.id)
      const rest = now.text.startsWith(typed) ? now.text.slice(typed.length) : now.text && `\n${now.text}`
      change({ text: body + rest, files: [...now.files, ...files], savedReplyId: id })
      input.current?.focus()
    },
    () => setDismissed(true),
  )
  const faults = draft.files.map(fileFault)
  const isTooLong = draft.text.length > longestText
  const isEmpty = draft.text.trim() === '' && draft.files.length === 0
  const canSend = !isEmpty && faults.every((fault) => !fault) && !isTooLong && !replies.isLoading

  function submit(): void {
    if (!canSend) return
    const parts = splitSending(draft.text.trim(), draft.files).map((part, i) => ({
      ...part,
      ...(i === 0 && quoted && { quoted }),
      ...(i === 0 && draft.savedReplyId && { savedReplyId: draft.savedReplyId }),
    }))
    if (!onSend(parts)) return
    change({ text: '', files: [] })
    onUnquote()
    input.current?.focus()
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (replies.onKey(event)) return
    // During text composition (IME), Enter confirms a character.
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault()
      submit()
    } else if (event.key === 'z' && (event.ctrlKey || event.metaKey) && isEmpty) {
      if (props.onUndo()) event.preventDefault()
    } else if (event.key === 'Escape') {
      if (quoted) onUnquote()
      else input.current?.blur()
    }
  }

  function onPaste(event: ClipboardEvent): void {
    const { files: pasted, types } = event.clipboardData
    const files = [...pasted]
    // Word processors add an image of the copied text; paste the text.
    if (files.length === 0 || (types.includes('text/html') && types.includes('text/plain'))) return
    event.preventDefault()
    attach(files)
  }

  return (
    <form
      className={classes.composer}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {replies.list}
      {replies.isLoading && (
        <Text size="sm" c="dimmed" role="status" mb={4}>
          <Loader size={12} mr={6} />
          Loading the files of the saved reply…
        </Text>
      )}
      {quoted && (
        <div className={classes.quoting}>
          <Quote quoted={quoted} senderName={nameOf(ticket)} />
          <CloseButton size="sm" onClick={onUnquote} aria-label="Cancel reply" />
        </div>
      )}
      {draft.files.length > 0 && (
        <ul className={classes.attached} aria-label="Attached files">
          {draft.files.map((file, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be attached twice
            <li key={i} data-fault={faults[i] ? true : undefined}>
              <FilePreview file={file} />
              {faults[i] && <span role="alert">{faults[i]}</span>}
              <ActionIcon
                size="xs"
                variant="filled"
                color="dark"
                radius="xl"
                className={classes.detach}
                aria-label={`Remove ${file.name}`}
                onClick={() => change({ ...draft, files: draft.files.filter((_, j) => j !== i) })}
              >
                <IconX size={10} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <div className={classes.writing}>
        <FileButton multiple onChange={attach} accept={acceptedFiles}>
          {(props) => (
            <Tooltip label="Attach files">
              <ActionIcon {...props} variant="subtle" color="gray" size="lg" aria-label="Attach files">
                <IconPaperclip size={18} />
              </ActionIcon>
            </Tooltip>
          )}
        </FileButton>
        <Tooltip label="Send a template">
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Send a template" onClick={onTemplate}>
            <IconTemplate size={18} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Add buttons">
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Add buttons" onClick={building.open}>
            <IconListCheck size={18} />
          </ActionIcon>
        </Tooltip>
        <InteractiveSender
          opened={isBuilding}
          onClose={building.close}
          text={draft.text}
          onSend={(message) => {
            if (!onSend([{ ...message, ...(quoted && { quoted }) }])) return
            building.close()
            change({ ...draft, text: '' })
            onUnquote()
          }}
        />
        <Textarea
          ref={input}
          autosize
          minRows={1}
          maxRows={8}
          flex={1}
          value={draft.text}
          onChange={({ currentTarget: { value } }) => {
            if (value === '') setDismissed(false)
            // An emptied field forgets the saved reply.
            change({ ...draft, text: value, ...(value === '' && { savedReplyId: undefined }) })
            onTyping()
          }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          placeholder="Write a reply, or / for saved replies"
          {...replies.field}
          aria-label="Your reply"
          error={isTooLong && `${draft.text.length.toLocaleString()} of ${longestText.toLocaleString()} characters`}
          dir="auto"
        />
        <Tooltip label="Send (Enter)">
          <ActionIcon type="submit" size="lg" disabled={!canSend} aria-label="Send">
            <IconSend2 size={18} />
          </ActionIcon>
        </Tooltip>
        <SendLater
          ticket={ticket}
          text={draft.text}
          quotedId={quoted?.chat_message_id}
          savedReplyId={draft.savedReplyId}
          isOvertaken={isOvertaken}
          disabled={!canSend || draft.files.length > 0}
          onDone={() => {
            // The member may have gone on writing while this text was being saved.
            if (draftOf(ticket.id) !== draft) return
            change({ text: '', files: [] })
            onUnquote()
          }}
          onUndone={() => putBack(ticket.id, [{ ...draft, body: draft.text }])}
        />
      </div>
    </form>
  )
}
