import type { api as types } from '@frontdesk/sdk'
import {
  IconClipboardText,
  IconExternalLink,
  IconList,
  IconMapPin,
  IconShoppingCart,
  IconSpeakerphone,
  IconUser,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ChatText } from '../../records/templates/chat-text.tsx'
import classes from './inbox.module.css'

/** A message with something to tap, as it is stored and as it is about to be sent. */
export type InteractiveContent = types.Interactive & { body: string }

/** What a message shows instead of its plain text, if it has more than text. */
export function richContentOf(
  { payload, direction, body }: types.Message,
  onTap?: (title?: string) => void,
): ReactNode {
  if (payload?.type === 'interactive' && direction === 'outbound')
    return <Interactive content={payload.interactive as InteractiveContent} onTap={onTap} />
  if ((payload?.template as { asks_to_call?: boolean } | undefined)?.asks_to_call)
    return <Interactive content={{ type: 'button', body, buttons: callChoices }} onTap={onTap} />
  if (payload?.type === 'location') return <Place place={payload.location as Partial<types.LocationMessage> | null} />
  if (payload?.type === 'contacts' && Array.isArray(payload.contacts))
    return <Cards cards={payload.contacts as (Partial<types.ContactCard> | null)[]} />
  return null
}

/** The customer's answers to a call permission request. */
const callChoices = [
  { id: 'accept', title: 'Allow calls' },
  { id: 'reject', title: 'Decline calls' },
]

/** The text of a message with something to tap, without its choices. */
export const questionOf = ({ payload, direction }: types.Message): string | undefined =>
  payload?.type === 'interactive' && direction === 'outbound'
    ? (payload.interactive as InteractiveContent).body
    : undefined

/** `onTap` taps as the customer, in test mode. */
export function Interactive({
  content,
  onTap,
}: {
  content: InteractiveContent
  onTap?: ((title?: string) => void) | undefined
}) {
  const { header, body, footer } = content
  return (
    <>
      {header && (
        <div className={classes.richHeader} dir="auto">
          {header.text ?? <Link href={header.link ?? ''}>{header.type}</Link>}
        </div>
      )}
      {body && (
        <div className={classes.body} dir="auto">
          <ChatText text={body} />
        </div>
      )}
      {footer && (
        <div className={classes.richFooter} dir="auto">
          {footer}
        </div>
      )}
      <Options content={content} onTap={onTap} />
    </>
  )
}

function Options({ content, onTap }: { content: InteractiveContent; onTap: ((title?: string) => void) | undefined }) {
  const { type, label, url, buttons = [], sections = [] } = content
  const tap = (title?: string) => onTap && (() => onTap(title))
  switch (type) {
    case 'button':
      return (
        <ul className={classes.options} aria-label="Buttons">
          {buttons.map(({ id, title }) => (
            <Option key={id} onTap={tap(title)}>
              {title}
            </Option>
          ))}
        </ul>
      )
    case 'list':
      return (
        <div className={classes.options}>
          <div className={classes.optionsLabel}>
            <IconList size={14} aria-hidden /> <bdi>{label}</bdi>
          </div>
          {sections.map(({ title, rows = [] }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: sections have no ID
            <ul key={i} aria-label={title ?? label}>
              {title && <li className={classes.optionsTitle}>{title}</li>}
              {rows.map((row) => (
                <Option key={row.id} onTap={tap(row.title)} isRow>
                  {row.title}
                  {row.description && <small>{row.description}</small>}
                </Option>
              ))}
            </ul>
          ))}
        </div>
      )
    case 'cta_url':
      return (
        <div className={classes.options}>
          <Link href={url ?? ''}>{label}</Link>
        </div>
      )
    case 'location_request_message':
      return <Single icon={<IconMapPin size={14} />} label="Send location" onTap={tap()} />
    case 'flow':
      return <Single icon={<IconClipboardText size={14} />} label={label ?? 'Open'} onTap={tap()} />
    case 'product':
    case 'product_list': {
      const ids = [content.product_retailer_id, ...sections.flatMap((section) => section.product_retailer_ids ?? [])]
      const text = ids.filter(Boolean).join(', ')
      return <Single icon={<IconShoppingCart size={14} />} label={text} onTap={tap()} />
    }
  }
}

function Single({ icon, label, onTap }: { icon: ReactNode; label: string; onTap: (() => void) | undefined }) {
  return (
    <ul className={classes.options}>
      <Option onTap={onTap}>
        {icon} {label}
      </Option>
    </ul>
  )
}

function Option({ children, onTap, isRow }: { children: ReactNode; onTap: (() => void) | undefined; isRow?: boolean }) {
  return (
    <li dir="auto">
      {onTap ? (
        <button
          type="button"
          className={classes.option}
          data-row={isRow || undefined}
          title="Tap as the customer"
          onClick={onTap}
        >
          {children}
        </button>
      ) : (
        <span className={classes.option} data-row={isRow || undefined}>
          {children}
        </span>
      )}
    </li>
  )
}

/** Customers' data: only links to the web are followed. */
function Link({ href, children }: { href: string; children: ReactNode }) {
  if (!/^https?:\/\//.test(href)) return <bdi>{children}</bdi>
  return (
    <a href={href} target="_blank" rel="noreferrer" className={classes.option}>
      <IconExternalLink size={14} aria-hidden /> <bdi>{children}</bdi>
    </a>
  )
}

function Place({ place }: { place: Partial<types.LocationMessage> | null }) {
  const { latitude, longitude, name, address } = place ?? {}
  const at = `${Number(latitude)}/${Number(longitude)}`
  const map = `https://www.openstreetmap.org/?mlat=${Number(latitude)}&mlon=${Number(longitude)}#map=16/${at}`
  return (
    <a className={classes.file} href={map} target="_blank" rel="noreferrer">
      <IconMapPin size={20} aria-hidden />
      <span className={classes.fileWords} dir="auto">
        <strong>{name || 'Location'}</strong>
        <span className={classes.fileFacts}>{address || at.replace('/', ', ')}</span>
      </span>
      <IconExternalLink size={16} aria-label="Open map" />
    </a>
  )
}

/** The ad or post whose click started the message. */
export function AdCard({ payload }: Pick<types.Message, 'payload'>) {
  const { headline, body, source_url, source_type } = (payload?.referral ?? {}) as Record<string, unknown>
  if (!payload?.referral) return null
  const kind = source_type === 'post' ? 'Post' : 'Ad'
  const words = (
    <>
      <IconSpeakerphone size={20} aria-hidden />
      <span className={classes.fileWords} dir="auto">
        <strong>{typeof headline === 'string' && headline ? headline : kind}</strong>
        <span className={classes.fileFacts}>
          {[kind, body].filter((text) => typeof text === 'string' && text).join(' · ')}
        </span>
      </span>
    </>
  )
  // The platform's data: only links to the web are followed.
  if (typeof source_url !== 'string' || !/^https?:\/\//.test(source_url))
    return <div className={classes.file}>{words}</div>
  return (
    <a className={classes.file} href={source_url} target="_blank" rel="noreferrer">
      {words}
      <IconExternalLink size={16} aria-label={`Open the ${kind.toLowerCase()}`} />
    </a>
  )
}

function Cards({ cards }: { cards: (Partial<types.ContactCard> | null)[] }) {
  return cards.map((card, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: cards have no ID
    <div className={classes.file} key={i}>
      <IconUser size={20} aria-hidden />
      <span className={classes.fileWords} dir="auto">
        <strong>{card?.name?.formatted_name || 'Contact'}</strong>
        <span className={classes.fileFacts}>
          {[card?.phones?.[0]?.phone, card?.emails?.[0]?.email].filter(Boolean).join(' · ')}
        </span>
      </span>
    </div>
  ))
}
