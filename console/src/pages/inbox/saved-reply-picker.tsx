import type { api as types } from '@frontdesk/sdk'
import { Text } from '@mantine/core'
import { IconLock, IconPaperclip } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'
import classes from './inbox.module.css'
import { useSuggestions } from './suggestions.tsx'
import { complain } from './tickets.ts'

/** What is typed after a / at the beginning of a reply. */
export const typedCommand = (text: string): string | undefined => /^\/([^\n]{0,64})$/.exec(text)?.[1]

/** Suggests saved replies while their name is typed after a slash. */
export function useSavedReplies(
  command: string | undefined,
  /** With the command that it replaces. */
  onChoose: (reply: types.SavedReply, files: File[], typed: string) => void,
  close: () => void,
) {
  const [isLoading, setLoading] = useState(false)
  const search = command?.trim() ?? ''
  const { data } = useRecord(
    ['saved-replies', 'search', search],
    (signal) => api.savedReplies.list({ limit: 8, ...(search && { search }) }, { signal }),
    { enabled: command !== undefined },
  )
  // While the next response is on its way, the previous one is shown: Enter must not choose what does not match.
  const found = command === undefined || isLoading ? [] : matching(data?.data ?? [], search.toLowerCase())
  const choose = async (reply: types.SavedReply) => {
    setLoading(reply.attachments.length > 0)
    try {
      const files = await Promise.all(reply.attachments.map((attachment) => fileOf(reply.id, attachment)))
      onChoose(reply, files, `/${command}`)
    } catch (error) {
      complain('Could not load the attachments', error)
    } finally {
      setLoading(false)
    }
  }
  const suggestions = useSuggestions(
    'Saved replies',
    found.map((reply) => ({ id: reply.id, content: <Line reply={reply} />, choose: () => void choose(reply) })),
    close,
  )
  return { ...suggestions, isLoading }
}

/** Those whose name begins with what was typed come first. */
const matching = (replies: types.SavedReply[], search: string): types.SavedReply[] => {
  const rank = ({ name }: types.SavedReply) => Number(!name.toLowerCase().startsWith(search))
  return replies
    .filter(({ name, body }) => `${name} ${body}`.toLowerCase().includes(search))
    .sort((one, other) => rank(one) - rank(other))
}

function Line({ reply: { name, body, shared, attachments } }: { reply: types.SavedReply }) {
  return (
    <>
      <span className={classes.suggestionName}>
        <bdi>{name}</bdi>
        {!shared && <IconLock size={12} aria-label="Private" />}
        {attachments.length > 0 && <IconPaperclip size={12} aria-label={fileCount(attachments.length)} />}
      </span>
      <Text span size="xs" c="dimmed" truncate display="block">
        {body || attachments.map(({ file_name }) => file_name).join(', ')}
      </Text>
    </>
  )
}

const fileCount = (count: number) => (count === 1 ? 'With a file' : `With ${count} files`)

async function fileOf(
  replyId: string,
  { id, file_name, mime_type }: types.SavedReply['attachments'][number],
): Promise<File> {
  const response = await api.savedReplies.downloadAttachment(replyId, id)
  return new File([await response.blob()], file_name, { type: mime_type })
}
