import { Checkbox, Radio, ScrollArea, SimpleGrid, Stack } from '@mantine/core'
import { eventGroups } from './event-types.ts'

/** All events, groups such as `contact.*`, or single types, in the API's notation. */
export function EventPicker({
  value,
  error,
  onChange,
}: {
  value: string[]
  error?: string | undefined
  onChange(value: string[]): void
}) {
  const hearsAll = value.includes('*')
  const set = (name: string, isWanted: boolean, without: (each: string) => boolean = () => false) =>
    onChange([...value.filter((each) => each !== name && !without(each)), ...(isWanted ? [name] : [])])
  return (
    <Stack gap="xs">
      <Radio.Group
        label="Events to send"
        value={hearsAll ? 'all' : 'some'}
        onChange={(choice) => onChange(choice === 'all' ? ['*'] : [])}
        error={error}
      >
        <Stack gap={6} mt={6}>
          <Radio value="all" label="All events" description="Including event types added in later versions" />
          <Radio value="some" label="Selected events" />
        </Stack>
      </Radio.Group>
      {!hearsAll && (
        <ScrollArea.Autosize mah={320} type="auto" offsetScrollbars>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="md">
            {eventGroups.map(({ kind, label, types }) => {
              const all = `${kind}.*`
              const hasAll = value.includes(all)
              const some = types.some(([type]) => value.includes(type))
              return (
                <Stack key={kind} gap={6} component="fieldset" style={{ border: 0, padding: 0, margin: 0 }}>
                  <legend className="sr-only">{label}</legend>
                  <Checkbox
                    label={`All ${label.toLowerCase()} events`}
                    description={all}
                    fw={600}
                    checked={hasAll}
                    indeterminate={!hasAll && some}
                    onChange={() => set(all, !hasAll, (each) => each.startsWith(`${kind}.`))}
                  />
                  {types.map(([type, words]) => (
                    <Checkbox
                      key={type}
                      ml="md"
                      size="xs"
                      label={words}
                      description={type}
                      checked={hasAll || value.includes(type)}
                      disabled={hasAll}
                      onChange={() => set(type, !value.includes(type))}
                    />
                  ))}
                </Stack>
              )
            })}
          </SimpleGrid>
        </ScrollArea.Autosize>
      )}
    </Stack>
  )
}
