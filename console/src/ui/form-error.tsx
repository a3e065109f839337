import { Alert } from '@mantine/core'
import type { ApiForm } from '../data/use-api-form.ts'

/** What no single field is to blame for. */
export function FormError({ form }: { form: Pick<ApiForm, 'problems'> }) {
  return form.problems.map((problem) => (
    <Alert key={problem} color="red" variant="light" role="alert" py="xs">
      {problem}
    </Alert>
  ))
}
