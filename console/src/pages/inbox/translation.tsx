import type { api as types } from '@frontdesk/sdk'
import { Button, Loader } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'
import { languageName } from '../../records/templates/languages.ts'
import { errorText } from '../../ui/error-text.ts'
import classes from './inbox.module.css'

/** The viewer's own language, without its region. */
const language = new Intl.Locale(navigator.language || 'en').language

/** A customer's message in the viewer's language, below the message. It is kept until the page is left. */
export function Translation({ message: { id, inbox_id, body, edited_at } }: { message: types.Message }) {
  const { data, error, refetch } = useRecord(
    ['translations', id, edited_at, language],
    (signal) =>
      api.inbox.createDraft(
        inbox_id as string,
        { kind: 'translation', language, text: body },
        { signal, maxRetries: 0 },
      ),
    { staleTime: Number.POSITIVE_INFINITY },
  )
  if (error)
    return (
      <div className={classes.translation} role="alert">
        Could not translate. {errorText(error)}{' '}
        <Button size="compact-xs" variant="default" onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    )
  if (!data) return <Loader size={12} aria-label="Translating" className={classes.translation} />
  return (
    <div className={classes.translation}>
      <div className={classes.body} dir="auto">
        {data.text}
      </div>
      <small>
        {data.usage.model === 'scripted'
          ? 'Test mode: written by the scripted model'
          : `Translated into ${languageName(language)}`}
      </small>
    </div>
  )
}
