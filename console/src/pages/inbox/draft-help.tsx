import type { api as types } from '@frontdesk/sdk'
import { Anchor, Button, CloseButton, Loader, Menu } from '@mantine/core'
import { IconLanguage, IconMessage2Bolt, IconSparkles, IconTextCaption } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { api } from '../../data/api.ts'
import { languageName } from '../../records/templates/languages.ts'
import { errorText } from '../../ui/error-text.ts'
import type { ComposerHandle } from './composer.tsx'
import classes from './inbox.module.css'
import { useNotes } from './notes.ts'

type Kind = types.NewDraft['kind']

const languages = 'ar de en es fr hi id it ja ko nl pl pt ru sv tr uk zh'
  .split(' ')
  .sort((one, other) => languageName(one).localeCompare(languageName(other)))

const working: Record<Kind, string> = {
  reply: 'Drafting a reply…',
  summary: 'Summarizing the conversation…',
  translation: 'Translating…',
}

interface Help {
  ticketId: string
  request: types.NewDraft
  draft?: types.Draft
  /** The text of the composer before the draft replaced it. */
  before?: string
  error?: unknown
}

interface Props {
  ticketId: string
  /** Whether a reply can be written now. */
  mayReply: boolean
  composer: React.RefObject<ComposerHandle | null>
  /** Puts the summary into the note. */
  onNote(text: string): void
}

/**
 * Drafts by the model: a menu to ask for one, and a panel that shows progress, sources and the summary. A draft is only
 * text in the composer; the member edits and sends it.
 */
export function useDraftHelp({ ticketId, mayReply, composer, onNote }: Props) {
  const [state, setHelp] = useState<Help>()
  // The text at the time the menu is opened: the composer does not render this one.
  const [written, setWritten] = useState('')
  const [withNotes, setWithNotes] = useState(false)
  const running = useRef<AbortController>(undefined)
  const help = state?.ticketId === ticketId ? state : undefined

  const clear = () => {
    running.current?.abort()
    setHelp(undefined)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation cancels the request
  useEffect(() => () => running.current?.abort(), [ticketId])

  async function ask(request: types.NewDraft) {
    running.current?.abort()
    const own = new AbortController()
    running.current = own
    setHelp({ ticketId, request })
    try {
      const draft = await api.inbox.createDraft(ticketId, request, { signal: own.signal, maxRetries: 0 })
      if (own.signal.aborted) return
      // Read now: the member may have written while the model did.
      const before = composer.current?.text() ?? ''
      if (request.kind !== 'summary') composer.current?.replace(draft.text)
      setHelp({ ticketId, request, draft, before })
    } catch (error) {
      if (!own.signal.aborted) setHelp({ ticketId, request, error })
    }
  }

  const notes = withNotes ? { include_notes: true } : {}
  const menu = (
    <Menu position="top-end" width={250} onOpen={() => setWritten(composer.current?.text() ?? '')}>
      <Menu.Target>
        <Button
          size="compact-xs"
          variant="subtle"
          ml="auto"
          leftSection={<IconSparkles size={14} />}
          disabled={help !== undefined && !help.draft && !help.error}
        >
          Draft
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconMessage2Bolt size={14} />}
          disabled={!mayReply}
          onClick={() => void ask({ kind: 'reply', ...notes })}
        >
          Suggest a reply
        </Menu.Item>
        <Menu.Item leftSection={<IconTextCaption size={14} />} onClick={() => void ask({ kind: 'summary', ...notes })}>
          Summarize
        </Menu.Item>
        <Menu.Sub position="left-end">
          <Menu.Sub.Target>
            <Menu.Sub.Item leftSection={<IconLanguage size={14} />} disabled={!mayReply || written.trim() === ''}>
              Translate my reply into
            </Menu.Sub.Item>
          </Menu.Sub.Target>
          <Menu.Sub.Dropdown mah={320} style={{ overflowY: 'auto' }}>
            {languages.map((language) => (
              <Menu.Item key={language} onClick={() => void ask({ kind: 'translation', language, text: written })}>
                {languageName(language)}
              </Menu.Item>
            ))}
          </Menu.Sub.Dropdown>
        </Menu.Sub>
        <NotesChoice ticketId={ticketId} isChecked={withNotes} onChange={setWithNotes} />
      </Menu.Dropdown>
    </Menu>
  )

  const undo = () => {
    composer.current?.replace(help?.before ?? '')
    clear()
  }
  const panel = help && (
    <section className={classes.draftHelp} aria-label="Draft" aria-live="polite">
      {help.error !== undefined && (
        <Row onClose={clear}>
          <span role="alert">Could not write the draft. {errorText(help.error)}</span>
          <Button size="compact-xs" variant="default" onClick={() => void ask(help.request)}>
            Try again
          </Button>
        </Row>
      )}
      {!help.draft && help.error === undefined && (
        <Row>
          <Loader size={14} />
          <span>{working[help.request.kind]}</span>
          <Button size="compact-xs" variant="default" onClick={clear}>
            Cancel
          </Button>
        </Row>
      )}
      {help.draft && (
        <>
          <Row onClose={clear}>
            <IconSparkles size={14} />
            <span>
              {help.draft.kind === 'summary' ? (
                <strong>Summary</strong>
              ) : (
                'This is a draft. Check it before you send it.'
              )}
            </span>
            {help.draft.kind === 'summary' ? (
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => {
                  onNote(help.draft?.text ?? '')
                  clear()
                }}
              >
                Add to note
              </Button>
            ) : (
              <Button size="compact-xs" variant="default" onClick={undo}>
                Undo
              </Button>
            )}
          </Row>
          {help.draft.kind === 'summary' && (
            <p className={classes.draftText} dir="auto">
              {help.draft.text}
            </p>
          )}
          <DraftOrigin draft={help.draft} />
        </>
      )}
    </section>
  )
  /** The draft was sent or deleted. A summary stays. */
  const settle = () => {
    if (help?.draft && help.draft.kind !== 'summary') clear()
  }
  return { menu, panel, settle }
}

function Row({ onClose, children }: { onClose?: () => void; children: React.ReactNode }) {
  return (
    <div className={classes.draftRow}>
      {children}
      {onClose && <CloseButton size="sm" onClick={onClose} aria-label="Close the draft" />}
    </div>
  )
}

/** The documents that the model read, and in test mode that there was no model. */
function DraftOrigin({ draft: { sources, usage } }: { draft: types.Draft }) {
  const isScripted = usage.model === 'scripted'
  if (sources.length === 0 && !isScripted) return null
  return (
    <div className={classes.draftOrigin}>
      {sources.length > 0 && (
        <span>
          {sources.length === 1 ? 'Source: ' : 'Sources: '}
          {sources.map(({ document_id, file_name, page }, i) => (
            <span key={`${document_id} ${page}`}>
              {i > 0 && ', '}
              <Anchor component={Link} to={`/knowledge/${document_id}`} inherit underline="always">
                {file_name}
              </Anchor>
              {page !== null && `, page ${page}`}
            </span>
          ))}
        </span>
      )}
      {isScripted && <span>Test mode: written by the scripted model</span>}
    </div>
  )
}

interface NotesChoiceProps {
  ticketId: string
  isChecked: boolean
  onChange(isChecked: boolean): void
}

function NotesChoice({ ticketId, isChecked, onChange }: NotesChoiceProps) {
  if (useNotes(ticketId).length === 0) return null
  return (
    <>
      <Menu.Divider />
      <Menu.CheckboxItem checked={isChecked} onChange={onChange} closeMenuOnClick={false}>
        Let the model read notes
      </Menu.CheckboxItem>
    </>
  )
}
