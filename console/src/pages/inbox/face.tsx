import { Avatar } from '@mantine/core'

/** An avatar with initials; numbers have none. */
export function Face({ name, size = 32 }: { name: string; size?: number }) {
  return (
    <Avatar
      size={size}
      radius="xl"
      {...(/\p{L}/u.test(name) && { name })}
      color="gray"
      variant="light"
      alt=""
      aria-hidden
    />
  )
}
