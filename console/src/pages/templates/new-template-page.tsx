import { Skeleton } from '@mantine/core'
import { useSearchParams } from 'react-router'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'
import { NoChatNumber } from '../../records/channels/no-chat-number.tsx'
import { useChannels } from '../../records/channels/use-channels.ts'
import { Page } from '../../ui/page.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { valuesFrom } from './copy-template.ts'
import { KindPicker } from './kind-picker.tsx'
import { TemplateEditor } from './template-editor.tsx'
import { isKind } from './template-kinds.ts'
import { emptyTemplate } from './template-values.ts'

/** Chooses a kind, then opens the editor with it, or with the template to copy. */
export function NewTemplatePage() {
  const [parameters] = useSearchParams()
  const from = parameters.get('from')
  const kind = parameters.get('kind')
  const { channels, chatChannels, error, refetch } = useChannels()
  const original = useRecord(['templates', from], (signal) => api.templates.get(from as string, { signal }), {
    enabled: from !== null,
  })
  const failure = error ?? original.error
  // Once the editor is open, a failed refetch does not replace it.
  if (!channels || !chatChannels || (from && !original.data))
    return failure ? (
      <ErrorState error={failure} retry={() => void (error ? refetch() : original.refetch())} />
    ) : (
      <Page title="New template">
        <Skeleton height={420} />
      </Page>
    )
  const [first] = chatChannels
  if (!first)
    return (
      <Page title="New template">
        <NoChatNumber>
          Templates belong to the WhatsApp account of one of your numbers. None is connected to chat in this mode.
        </NoChatNumber>
      </Page>
    )
  if (original.data) return <TemplateEditor start={valuesFrom(original.data)} channels={chatChannels} />
  if (!isKind(kind)) return <KindPicker />
  return <TemplateEditor key={kind} start={emptyTemplate(kind, first.id)} channels={chatChannels} />
}
