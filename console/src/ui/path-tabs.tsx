import { ScrollArea, Tabs } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'

/** Tabs with an address each, such as `/settings/channels`. */
export function PathTabs<Name extends string>({
  base,
  tabs,
  value,
}: {
  base: string
  tabs: Record<Name, string>
  value: Name
}) {
  const navigate = useNavigate()
  const list = useRef<HTMLDivElement>(null)
  // On a phone, or after the window got narrower, the active tab may be scrolled out of view.
  useEffect(() => {
    const show = () =>
      list.current?.querySelector(`[data-tab="${value}"]`)?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
    show()
    window.addEventListener('resize', show)
    return () => window.removeEventListener('resize', show)
  }, [value])
  return (
    <ScrollArea type="never" mb="md">
      <Tabs value={value} onChange={(next) => next && void navigate(`${base}/${next}`)} keepMounted={false}>
        <Tabs.List ref={list} style={{ flexWrap: 'nowrap' }}>
          {Object.entries<string>(tabs).map(([name, label]) => (
            <Tabs.Tab key={name} value={name} data-tab={name} px={9} style={{ whiteSpace: 'nowrap' }}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
    </ScrollArea>
  )
}
