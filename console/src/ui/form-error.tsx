import { Alert } from '@mantine/core'

export interface FormState {
  /** Messages about the whole form, not about one field. */
  problems: string[]
  isWorking: boolean
}

export function FormError({ form }: { form: Pick<FormState, 'problems'> }) {
  return form.problems.map((problem) => (
    <Alert key={problem} color="red" variant="light" role="alert" py="xs">
      {problem}
    </Alert>
  ))
}
