import { Text } from '@mantine/core'
import {
  IconArrowBackUp,
  IconCopy,
  IconExternalLink,
  IconFileText,
  IconList,
  IconMapPin,
  IconPhone,
  IconPhoto,
  IconPlayerPlayFilled,
} from '@tabler/icons-react'
import { ChatText } from './chat-text.tsx'
import classes from './phone-preview.module.css'
import { type Components, type HeaderFormat, type MessageButton, partsOf, type Slot } from './template-parts.ts'

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
  valueAt?: (slot: Slot) => string | undefined
  /** The name of the sender, in the header of the chat. */
  sender?: string | undefined
}) {
  const { header, body, footer, buttons } = partsOf(components)
  const inPart = (where: string) => (name: string) => valueAt({ where, name })
  const isEmpty = !header && body === '' && footer === '' && buttons.length === 0
  const shown = buttons.length > mostButtons ? buttons.slice(0, mostButtons - 1) : buttons
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
            <div className={classes.bubble}>
              {header &&
                (header.format === 'TEXT' ? (
                  header.text && (
                    <div className={classes.header} dir="auto">
                      <ChatText text={header.text} valueAt={inPart('header')} />
                    </div>
                  )
                ) : (
                  <Media format={header.format} address={valueAt({ where: 'header', name: '' })} />
                ))}
              {body && (
                <div className={classes.body} dir="auto">
                  <ChatText text={body} valueAt={inPart('body')} />
                </div>
              )}
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
            </div>
            {buttons.length > 0 && (
              <ul className={classes.buttons} aria-label="Buttons">
                {shown.map((button, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: buttons have no ID
                  <li key={i} className={classes.button}>
                    <ButtonIcon type={button.type} />
                    <bdi>{labelOf(button)}</bdi>
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
          </div>
        )}
      </div>
    </figure>
  )
}

const words: Record<string, string> = {
  COPY_CODE: 'Copy offer code',
  OTP: 'Copy code',
  CATALOG: 'View catalog',
  MPM: 'View items',
}
const labelOf = ({ text, type }: MessageButton) => text || words[type] || 'Button'

function ButtonIcon({ type }: { type: string }) {
  const Icon = { URL: IconExternalLink, PHONE_NUMBER: IconPhone, COPY_CODE: IconCopy, OTP: IconCopy }[type]
  return Icon ? <Icon size={16} aria-hidden /> : <IconArrowBackUp size={16} aria-hidden />
}

/** The type and name of the header file. The file itself is downloaded by WhatsApp. */
function Media({ format, address }: { format: HeaderFormat; address: string | undefined }) {
  const name = address?.split(/[?#]/)[0]?.split('/').pop()
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
