import { Select, type SelectProps } from '@mantine/core'
import { useTeams } from './use-teams.ts'

/** Picks a team. */
export function TeamSelect({ except, ...props }: Omit<SelectProps, 'data'> & { except?: string | undefined }) {
  const { teams = [] } = useTeams()
  return (
    <Select
      label="Team"
      clearable
      {...props}
      data={teams.filter(({ id }) => id !== except).map(({ id, name }) => ({ value: id, label: name }))}
    />
  )
}
