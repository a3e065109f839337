import { Alert } from '@mantine/core'
import type { FormEvent } from 'react'

export interface FormState {
  /** Messages about the whole form, not about one field. */
  problems: string[]
  isWorking: boolean
  onSubmit(event: FormEvent): void
}

export function FormError({ form }: { form: Pick<FormState, 'problems'> }) {
  return form.problems.map((problem) => (
    <Alert key={problem} color="red" variant="light" role="alert" py="xs">
      {problem}
    </Alert>
  ))
}
