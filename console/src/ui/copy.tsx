import { ActionIcon, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useCopy } from './use-copy.ts'

export function Copy({ value, what, icon: Icon = IconCopy }: { value: string; what: string; icon?: typeof IconCopy }) {
  const { copied, copy } = useCopy(value)
  return (
    <Tooltip label={copied ? 'Copied' : `Copy ${what}`}>
      <ActionIcon variant="subtle" color="gray" size="sm" onClick={copy} aria-label={`Copy ${what}`}>
        {copied ? <IconCheck size={14} /> : <Icon size={14} />}
      </ActionIcon>
    </Tooltip>
  )
}
