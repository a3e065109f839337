import { Select, type SelectProps } from '@mantine/core'
import { countryChoices } from './countries.ts'

export function CountrySelect(props: Omit<SelectProps, 'data'>) {
  return <Select data={countryChoices} searchable nothingFoundMessage="No such country" {...props} />
}
