import { TagsInput } from '@mantine/core'

/** The addresses that a key may be used from; none means any. */
export function AddressesField(props: {
  name: string
  value: string[]
  error?: string | undefined
  onChange(value: string[]): void
}) {
  return (
    <TagsInput
      label="Allowed IP addresses"
      description="Addresses and ranges, such as 203.0.113.7 or 2001:db8::/48. Leave empty to allow any"
      maxTags={50}
      splitChars={[',', ' ']}
      acceptValueOnBlur
      {...props}
    />
  )
}
