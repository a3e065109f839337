import type { api as types } from '@frontdesk/sdk'
import { Text } from '@mantine/core'
import { Moment } from '../../ui/moment.tsx'
import { Status } from '../../ui/status.tsx'

const ratings = {
  good: { tone: 'good', word: 'Rated good' },
  okay: { tone: 'warning', word: 'Rated okay' },
  bad: { tone: 'bad', word: 'Rated bad' },
} as const

/** How the customer rated a conversation; nothing if they did not. */
export function TicketRating({ ticket: { rating, rated_at } }: { ticket: Pick<types.Ticket, 'rating' | 'rated_at'> }) {
  if (!rating || !rated_at) return null
  return (
    <div>
      <Status tone={ratings[rating].tone}>{ratings[rating].word}</Status>{' '}
      <Text span size="xs" c="dimmed">
        <Moment at={rated_at} />
      </Text>
    </div>
  )
}
