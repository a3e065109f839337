import { Text } from '@mantine/core'

/** Characters used of WhatsApp's limit, red when exceeded. An emoji counts as one. */
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
