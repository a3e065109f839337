import { TextInput, type TextInputProps } from '@mantine/core'
import { MediaField } from './media-field.tsx'
import type { Slot } from './template-parts.ts'

/** What a value is, in words: `{{1}} in the body`, `Image on card 2`. */
export function labelOf({ kind, where, name, format = 'IMAGE', isOptional }: Slot): string {
  const [, card, part = '', index] = /^(?:card\.(\d+)\.)?(\w*)(?:\.(\d+))?$/.exec(where) ?? []
  const isOnCard = card !== undefined
  const onCard = isOnCard ? ` on card ${Number(card) + 1}` : ''
  switch (kind) {
    case 'text':
      return isOnCard ? `{{${name}}}${onCard}` : `{{${name}}} in the ${part}`
    case 'url':
      return `{{${name}}} in the URL of button ${Number(index) + 1}${onCard}`
    case 'otp':
      return 'One-time password'
    case 'code':
      return `Coupon code${onCard}`
    case 'media':
      return `${format.charAt(0)}${format.slice(1).toLowerCase()}${onCard || ' in the header'}`
    case 'location':
      return `${placeLabels[name]}${isOptional ? ' (optional)' : ''}`
    case 'offer':
      return 'End of the offer'
    case 'products':
      return 'Products'
  }
}

const placeLabels: Record<string, string> = {
  latitude: 'Latitude',
  longitude: 'Longitude',
  name: 'Name of the place',
  address: 'Address',
}

const inputs: Partial<Record<Slot['kind'], TextInputProps>> = {
  code: { maxLength: 15, placeholder: 'SPRING25' },
  otp: { maxLength: 15, placeholder: '493021', inputMode: 'numeric' },
  products: {
    placeholder: 'Bundles: sku1, sku2; Seeds: sku3',
    description: 'Product IDs of your catalog, in sections',
  },
  offer: { type: 'datetime-local', description: 'In your time zone' },
}
const placeInputs: Record<string, TextInputProps> = {
  latitude: { placeholder: '52.5200', inputMode: 'decimal' },
  longitude: { placeholder: '13.4050', inputMode: 'decimal' },
}

/** A field for one value of a message. */
export function SlotField({
  slot,
  channelId,
  value,
  onChange,
  ...input
}: {
  slot: Slot
  /** Whose number sends the file. */
  channelId: string
  value: string
  onChange(value: string): void
} & Pick<TextInputProps, 'error' | 'placeholder' | 'maxLength'>) {
  const { kind, name } = slot
  if (kind === 'media')
    return (
      <MediaField
        label={labelOf(slot)}
        format={slot.format ?? 'IMAGE'}
        channelId={channelId}
        value={value}
        error={input.error}
        onChange={(file) => onChange(file)}
      />
    )
  const isMoment = kind === 'offer'
  return (
    <TextInput
      label={labelOf(slot)}
      dir="auto"
      {...inputs[kind]}
      {...(kind === 'location' && placeInputs[name])}
      {...input}
      value={isMoment ? toLocal(value) : value}
      onChange={({ currentTarget }) => onChange(isMoment ? toInstant(currentTarget.value) : currentTarget.value)}
    />
  )
}

/** `2027-01-31T18:00` in the viewer's time zone, as a `datetime-local` input has it. */
function toLocal(instant: string): string {
  const at = new Date(instant)
  return Number.isNaN(at.getTime())
    ? ''
    : new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

const toInstant = (local: string): string => (local ? new Date(local).toISOString() : '')
