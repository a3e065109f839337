import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, Textarea, Tooltip } from '@mantine/core'
import { IconNote } from '@tabler/icons-react'
import { type FormEvent, type KeyboardEvent, type Ref, useImperativeHandle, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { api } from '../../data/api.ts'
import { onSignOut } from '../../data/session.tsx'
import { useMembers } from '../../records/members/use-members.ts'
import classes from './inbox.module.css'
import { matching, mentionedIn, mentionFault, mentionOf, typedMention } from './mentions.ts'
import { useNotesChanged } from './notes.ts'
import { useSuggestions } from './suggestions.tsx'
import { complain } from './tickets.ts'

const longestNote = 8192

/** Unsaved notes by conversation, kept while another one is open. */
const drafts = new Map<string, string>()
onSignOut({ after: () => drafts.clear() })

export interface NoteHandle {
  focus(): void
  /** Adds text to the note, for the member to edit. */
  add(text: string): void
}

/** Writes a note for the team. It has no way to the customer: it is saved by an operation of its own. */
export function NoteWriter({ ticketId, handle }: { ticketId: string; handle: Ref<NoteHandle> }) {
  const [text, setText] = useState(() => drafts.get(ticketId) ?? '')
  const [isWorking, setWorking] = useState(false)
  const changed = useNotesChanged()
  const input = useRef<HTMLTextAreaElement>(null)
  const change = (next: string) => {
    drafts.set(ticketId, next)
    setText(next)
  }
  useImperativeHandle(handle, () => ({
    focus: () => input.current?.focus(),
    add: (more) => change([text.trim(), more].filter(Boolean).join('\n\n')),
  }))
  const { members, ...mentions } = useMentions(input, text, change)
  const isTooLong = text.length > longestNote
  const canSave = text.trim() !== '' && !isTooLong && !isWorking

  async function save(event?: FormEvent) {
    event?.preventDefault()
    if (!canSave) return
    setWorking(true)
    const mentioned_ids = mentionedIn(text, members)
    try {
      await api.inbox.createNote(ticketId, { body: text.trim(), mentioned_ids })
      change('')
      await changed()
    } catch (error) {
      complain('Could not save the note', mentionFault(error, mentioned_ids, members))
    } finally {
      setWorking(false)
      input.current?.focus()
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    if (mentions.onKey(event)) return
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault()
      void save()
    } else if (event.key === 'Escape') input.current?.blur()
  }

  return (
    <form className={classes.composer} data-note onSubmit={(event) => void save(event)}>
      {mentions.list}
      <div className={classes.writing}>
        <Textarea
          ref={input}
          autosize
          minRows={1}
          maxRows={8}
          flex={1}
          value={text}
          onChange={({ currentTarget }) => change(currentTarget.value)}
          onSelect={mentions.look}
          onKeyDown={onKeyDown}
          placeholder="Note for your team, @ to mention"
          aria-label="Your note"
          error={isTooLong && `${text.length.toLocaleString()} of ${longestNote.toLocaleString()} characters`}
          dir="auto"
          {...mentions.field}
        />
        <Tooltip label="Add note (Enter)">
          <ActionIcon type="submit" size="lg" color="yellow" variant="light" disabled={!canSave} aria-label="Add note">
            <IconNote size={18} />
          </ActionIcon>
        </Tooltip>
      </div>
    </form>
  )
}

/** Suggests members while a name is typed after an @. */
function useMentions(input: React.RefObject<HTMLTextAreaElement | null>, text: string, change: (text: string) => void) {
  const { members } = useMembers()
  const [cursor, setCursor] = useState(0)
  const [isDismissed, setDismissed] = useState(false)
  const head = text.slice(0, cursor)
  const typed = isDismissed ? undefined : typedMention(head)
  const choose = (member: types.Member) => {
    const start = head.slice(0, head.length - (typed?.length ?? 0) - 1)
    const next = `${start}${mentionOf(member)} `
    flushSync(() => {
      change(next + text.slice(cursor))
      setCursor(next.length)
    })
    // At once: a frame later, it would be moved back before what was typed meanwhile.
    input.current?.setSelectionRange(next.length, next.length)
  }
  const found = typed === undefined ? [] : matching(members, typed).slice(0, 6)
  const suggestions = useSuggestions(
    'Members',
    found.map((member) => ({ id: member.id, content: mentionOf(member).slice(1), choose: () => choose(member) })),
    () => setDismissed(true),
  )
  const look = () => {
    const at = input.current?.selectionStart ?? 0
    if (at !== cursor) setDismissed(false)
    setCursor(at)
  }
  return { ...suggestions, members, look }
}
