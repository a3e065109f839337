import { Avatar } from '@mantine/core'

/** An avatar with initials; numbers have none. */
export function Face({ name, size = 32 }: { name: string; size?: number }) {
  const letters = name.match(/\p{L}/u) ? name : undefined
  return <Avatar size={size} radius="xl" name={letters} color="gray" variant="light" alt="" aria-hidden />
}
