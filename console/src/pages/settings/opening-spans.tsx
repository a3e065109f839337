import type { api as types } from '@frontdesk/sdk'
import { ActionIcon, Group, Input, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'

type Span = types.OpeningSpan

export const office: Span[] = [{ from: '09:00', until: '17:00' }]

interface Props {
  /** The day that the spans belong to, for screen readers. */
  day: string
  spans: Span[]
  onChange(spans: Span[]): void
}

export function AddSpan({ day, spans, onChange }: Props) {
  const next = spans.length === 0 ? office : [...spans, { from: spans.at(-1)?.until ?? '', until: '' }]
  return (
    <ActionIcon variant="default" size="lg" aria-label={`Add hours on ${day}`} onClick={() => onChange(next)}>
      <IconPlus size={16} />
    </ActionIcon>
  )
}

/** The opening hours of one day. */
export function OpeningSpans({
  day,
  spans,
  onChange,
  errorAt,
}: Props & {
  /** The error of a place within the spans, as in `.0.until`. */
  errorAt(place: string): string | undefined
}) {
  const change = (index: number, part: Partial<Span>) =>
    onChange(spans.map((span, i) => (i === index ? { ...span, ...part } : span)))
  return (
    <Stack gap={4} flex={1}>
      {spans.length === 0 && (
        <Text size="sm" c="dimmed" pt={6}>
          Closed
        </Text>
      )}
      {spans.map((span, index) => {
        const fault = errorAt(`.${index}`) ?? errorAt(`.${index}.from`) ?? errorAt(`.${index}.until`)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: spans have no identity of their own
          <div key={index}>
            <Group gap={4} wrap="nowrap">
              <TextInput
                type="time"
                required
                aria-label={`${day} from`}
                error={Boolean(fault)}
                value={span.from}
                onChange={(event) => change(index, { from: event.currentTarget.value })}
              />
              <Text size="sm" aria-hidden>
                –
              </Text>
              <TextInput
                type="time"
                required
                aria-label={`${day} until`}
                error={Boolean(fault)}
                value={span.until === '24:00' ? '00:00' : span.until}
                onChange={(event) => change(index, { until: lastMinute(event.currentTarget.value) })}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={`Remove ${span.from} on ${day}`}
                onClick={() => onChange(spans.filter((_, i) => i !== index))}
              >
                <IconX size={16} />
              </ActionIcon>
            </Group>
            {fault && <Input.Error>{fault}</Input.Error>}
          </div>
        )
      })}
    </Stack>
  )
}

/** Time inputs know no 24:00. */
const lastMinute = (time: string) => (time === '00:00' ? '24:00' : time)
