import { Text } from '@mantine/core'

/** How much of the platform's room is used; what does not fit turns red. Emoji count as one, as people count. */
export function Counter({ text, most }: { text: string; most: number }) {
  const used = [...text].length
  return (
    <Text
      span
      size="xs"
      c={used > most ? 'var(--mantine-color-error)' : 'dimmed'}
      aria-live={used > most ? 'polite' : 'off'}
    >
      {used.toLocaleString()} / {most.toLocaleString()}
      {used > most && <span className="sr-only"> characters: too long</span>}
    </Text>
  )
}
