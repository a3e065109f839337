import type { api as types } from '@frontdesk/sdk'
import { Button, Group, Textarea } from '@mantine/core'
import { IconNote } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { useMembers } from '../../records/members/use-members.ts'
import { askFirst } from '../../ui/ask-first.tsx'
import { exactTimeOnHover } from '../../ui/moment.tsx'
import { timeOfDay } from '../../ui/time-of-day.ts'
import classes from './inbox.module.css'
import { mentionedIn, mentionFault } from './mentions.ts'
import { useNotesChanged } from './notes.ts'
import { complain } from './tickets.ts'

/** A note for the team in the thread. It looks unlike a message, so that no one takes it for one. */
export function NoteBubble({ note }: { note: types.Note }) {
  const { nameOf, me } = useMembers()
  const changed = useNotesChanged()
  const [isEditing, setEditing] = useState(false)
  const { id, inbox_id, author_id, body, edited_at, created_at } = note
  const isMine = author_id !== null && author_id === me?.id
  const author = nameOf(author_id, 'You') ?? (author_id ? 'A former member' : 'API key')
  const remove = () =>
    askFirst({
      title: 'Delete this note?',
      consequence: 'The note is removed for everyone, including from the timeline.',
      action: 'Delete note',
      run: async () => {
        await api.inbox.deleteNote(inbox_id, id)
        await changed()
      },
    })
  return (
    <div className={classes.note} data-note={id}>
      <div className={classes.noteHead}>
        <IconNote size={13} aria-hidden />
        <strong>{author}</strong>
        <span>Note</span>
        {edited_at && <span>Edited</span>}
        <time dateTime={created_at} {...exactTimeOnHover}>
          {timeOfDay(created_at)}
        </time>
        {isMine && !isEditing && (
          <span className={classes.noteActions}>
            <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setEditing(true)}>
              Edit
            </Button>
            <Button size="compact-xs" variant="subtle" color="gray" onClick={remove}>
              Delete
            </Button>
          </span>
        )}
      </div>
      {isEditing ? (
        <EditNote note={note} close={() => setEditing(false)} />
      ) : (
        <div className={classes.body} dir="auto">
          {body}
        </div>
      )}
    </div>
  )
}

function EditNote({ note, close }: { note: types.Note; close(): void }) {
  const { members } = useMembers()
  const changed = useNotesChanged()
  const [text, setText] = useState(note.body)
  const [isWorking, setWorking] = useState(false)
  async function save() {
    setWorking(true)
    const gone = note.mentioned_ids.filter((id) => !members.some((member) => member.id === id))
    const mentioned_ids = [...gone, ...mentionedIn(text, members)]
    try {
      await api.inbox.updateNote(note.inbox_id, note.id, { body: text.trim(), mentioned_ids })
      await changed()
      close()
    } catch (error) {
      complain('Could not save the note', mentionFault(error, mentioned_ids, members))
      setWorking(false)
    }
  }
  return (
    <>
      <Textarea
        autosize
        minRows={1}
        maxRows={10}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        aria-label="Edit note"
        data-autofocus
        dir="auto"
      />
      <Group gap="xs" mt={6}>
        <Button size="compact-xs" onClick={() => void save()} loading={isWorking} disabled={text.trim() === ''}>
          Save
        </Button>
        <Button size="compact-xs" variant="subtle" color="gray" onClick={close}>
          Cancel
        </Button>
      </Group>
    </>
  )
}
