import { Button, Center } from '@mantine/core'

/** What came in above while somebody reads, told without moving what they read. */
export function NewerButton({ count, one, many, show }: { count: number; one: string; many: string; show(): void }) {
  if (count === 0) return null
  return (
    <Center style={{ position: 'sticky', top: 80, zIndex: 2 }}>
      <Button size="compact-sm" onClick={show}>
        {count === 1 ? `One newer ${one}` : `${count} newer ${many}`}
      </Button>
    </Center>
  )
}
