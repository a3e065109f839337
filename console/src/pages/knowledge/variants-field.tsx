import { Textarea } from '@mantine/core'
import type { ComponentProps } from 'react'

/** Other ways to ask a question of the FAQ, one per line. */
export function VariantsField(props: ComponentProps<typeof Textarea>) {
  return <Textarea label="Other ways to ask it" autosize minRows={2} maxRows={8} dir="auto" {...props} />
}
