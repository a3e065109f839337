import { Select, type SelectProps } from '@mantine/core'
import { useSchedules } from './use-schedules.ts'

/** Picks business hours. */
export function ScheduleSelect(props: Omit<SelectProps, 'data'>) {
  const { schedules = [] } = useSchedules()
  return (
    <Select
      label="Business hours"
      placeholder="Always open"
      clearable
      {...props}
      data={schedules.map(({ id, name }) => ({ value: id, label: name }))}
    />
  )
}
