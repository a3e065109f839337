import { Text } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useCursorList } from '../../data/use-records.ts'
import { Moment } from '../../ui/moment.tsx'
import { RecordList } from '../../ui/record-list.tsx'

const channels = { all: 'all channels', chat: 'chat', voice: 'calls', email: 'email' }
const sources: Record<string, string> = { message: 'Message', platform: 'WhatsApp', user: 'Entered by a member' }

/** What the contact agreed to and withdrew, newest first. */
export function ContactConsents({ contactId }: { contactId: string }) {
  const list = useCursorList(['contacts', contactId, 'consents'], (starting_after, signal) =>
    api.contacts.listConsents(contactId, { limit: 50, ...(starting_after && { starting_after }) }, { signal }),
  )
  return (
    <RecordList
      list={list}
      label="Consents"
      empty={{
        title: 'No consent recorded',
        text: 'Opt-outs, opt-ins and consents that you record over the API appear here.',
      }}
      columns={[
        {
          label: 'Statement',
          cell: ({ state, purpose, channel, text }) => (
            <>
              {state === 'granted' ? 'Agreed to' : 'Withdrew'} {purpose.replaceAll('_', ' ')} on {channels[channel]}
              <Text span c="dimmed" size="sm" display="block" lineClamp={2}>
                <bdi>{text}</bdi>
              </Text>
            </>
          ),
        },
        { label: 'Source', from: 'sm', cell: ({ source }) => sources[source] ?? source.replaceAll('_', ' ') },
        { label: 'Time', noWrap: true, cell: ({ at }) => <Moment at={at} /> },
      ]}
    />
  )
}
