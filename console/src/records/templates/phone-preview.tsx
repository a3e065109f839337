import { Text } from '@mantine/core'
import {
  IconArrowBackUp,
  IconCopy,
  IconExternalLink,
  IconFileText,
  IconForms,
  IconList,
  IconMapPin,
  IconPhone,
  IconPhoto,
  IconPlayerPlayFilled,
  IconShoppingBag,
  IconTag,
} from '@tabler/icons-react'
import { ChatText } from './chat-text.tsx'
import classes from './phone-preview.module.css'
import { isStoredFile, storedFileAddress } from './stored-files.ts'
import { buttonLabel, type Components, type HeaderFormat, type Place, partsOf } from './template-parts.ts'

/** With more than three buttons WhatsApp shows two, and the rest behind a third. */
const mostButtons = 3

/** A message as the customer's phone shows it. */
export function PhonePreview({
  components,
  valueAt = () => undefined,
  sender,
}: {
  components: Components
  /** The value of a variable. Variables without one show their names. */
  valueAt?: (place: Place) => string | undefined
  /** The name of the sender, in the header of the chat. */
  sender?: string | undefined
}) {
  const { header, body, footer, buttons, cards, asksToCall } = partsOf(components)
  const isEmpty = !header && body === '' && footer === '' && buttons.length === 0
  return (
    <figure className={classes.phone} aria-label="Message preview">
      {sender && (
        <div className={classes.top}>
          <span className={classes.avatar} aria-hidden>
            {sender.trim().slice(0, 1).toUpperCase()}
          </span>
          <bdi>{sender}</bdi>
        </div>
      )}
      <div className={classes.chat}>
        {isEmpty ? (
          <Text size="sm" c="dimmed" ta="center" py="xl">
            Your message appears here.
          </Text>
        ) : (
          <div className={classes.message}>
            <Bubble components={components} valueAt={valueAt} />
            {asksToCall && (
              <ul className={classes.buttons} aria-label="Call permission">
                <li className={classes.button}>
                  <IconPhone size={16} aria-hidden />
                  Choose call preference
                </li>
              </ul>
            )}
          </div>
        )}
        {cards.length > 0 && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard
          <section className={classes.cards} tabIndex={0} aria-label={`Carousel with ${cards.length} cards`}>
            {cards.map((card, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cards have no ID
              <div key={i} className={classes.card}>
                <Bubble
                  components={card}
                  valueAt={({ where, name }) => valueAt({ where: `card.${i}.${where}`, name })}
                  isCard
                />
              </div>
            ))}
          </section>
        )}
      </div>
    </figure>
  )
}

/** The text of a message or of a card, and its buttons. */
function Bubble({
  components,
  valueAt,
  isCard = false,
}: {
  components: Components
  valueAt(place: Place): string | undefined
  isCard?: boolean
}) {
  const { header, offer, body, footer, buttons } = partsOf(components)
  const inPart = (where: string) => (name: string) => valueAt({ where, name })
  const shown = buttons.length > mostButtons ? buttons.slice(0, mostButtons - 1) : buttons
  return (
    <>
      <div className={classes.bubble}>
        {header &&
          (header.format === 'TEXT' ? (
            header.text && (
              <div className={classes.header} dir="auto">
                <ChatText text={header.text} valueAt={inPart('header')} />
              </div>
            )
          ) : (
            <Media
              format={header.format}
              file={valueAt({ where: 'header', name: header.format === 'LOCATION' ? 'name' : '' })}
            />
          ))}
        {offer && (
          <div className={classes.offer}>
            <IconTag size={20} aria-hidden />
            <div>
              <strong dir="auto">{offer.text}</strong>
              {offer.hasExpiration && <div>Ends in 2 days</div>}
            </div>
          </div>
        )}
        {body && (
          <div className={classes.body} dir="auto">
            <ChatText text={body} valueAt={inPart('body')} />
          </div>
        )}
        {!isCard && (
          <div className={classes.foot}>
            {footer && (
              <span className={classes.footer} dir="auto">
                {footer}
              </span>
            )}
            <span className={classes.time} aria-hidden>
              10:24
            </span>
          </div>
        )}
      </div>
      {buttons.length > 0 && (
        <ul className={classes.buttons} aria-label="Buttons">
          {shown.map((button, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: buttons have no ID
            <li key={i} className={classes.button}>
              <ButtonIcon type={button.type} />
              <bdi>{buttonLabel(button)}</bdi>
            </li>
          ))}
          {shown.length < buttons.length && (
            <li className={classes.button}>
              <IconList size={16} aria-hidden />
              See all options
            </li>
          )}
        </ul>
      )}
    </>
  )
}

const icons: Record<string, typeof IconCopy> = {
  URL: IconExternalLink,
  PHONE_NUMBER: IconPhone,
  COPY_CODE: IconCopy,
  OTP: IconCopy,
  FLOW: IconForms,
  CATALOG: IconShoppingBag,
  MPM: IconShoppingBag,
}

function ButtonIcon({ type }: { type: string }) {
  const Icon = icons[type]
  return Icon ? <Icon size={16} aria-hidden /> : <IconArrowBackUp size={16} aria-hidden />
}

/** A stored picture or video, else the type and name: files at other addresses are only downloaded by WhatsApp. */
function Media({ format, file = '' }: { format: HeaderFormat; file: string | undefined }) {
  if (isStoredFile(file) && format === 'IMAGE')
    return <img className={classes.picture} src={storedFileAddress(file)} alt="Header" />
  if (isStoredFile(file) && format === 'VIDEO')
    return <video className={classes.picture} src={storedFileAddress(file)} preload="metadata" muted />
  const name = isStoredFile(file) ? '' : file.split(/[?#]/)[0]?.split('/').pop()
  if (format === 'DOCUMENT')
    return (
      <div className={classes.document}>
        <IconFileText size={24} aria-hidden />
        <bdi>{name || 'Document'}</bdi>
      </div>
    )
  const [Icon, word] =
    format === 'VIDEO'
      ? [IconPlayerPlayFilled, 'Video']
      : format === 'LOCATION'
        ? [IconMapPin, 'Map']
        : [IconPhoto, 'Image']
  return (
    <div className={classes.media}>
      <Icon size={32} aria-hidden />
      <bdi>{name || word}</bdi>
    </div>
  )
}
