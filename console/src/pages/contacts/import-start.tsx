import { Alert, Anchor, Code, Group, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'
import { CountrySelect } from '../../records/contacts/country-select.tsx'
import { errorText } from '../../ui/error-text.ts'
import { saveFile } from './save-file.ts'
import { checkedFiles } from './use-import.ts'

const example = `phone_number,name,tags,stage,notes,City
+14155550100,Ada Lovelace,vip; newsletter,customer,Prefers mornings,London
+4915112345678,Jürgen Müller,newsletter,new,,Köln
`

/** A chosen file is checked first; nothing is imported before the result was confirmed. */
export function ImportStart({ onChecked }: { onChecked(id: string): void }) {
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { data: organization } = useRecord(['organization'], (signal) => api.organization.get({ signal }))
  const [chosen, setChosen] = useState<string | null>()
  const country = chosen === undefined ? (organization?.default_country ?? null) : chosen
  async function check(file: File | undefined) {
    if (!file) return
    setSending(true)
    setProblem(undefined)
    try {
      const { id } = await api.contacts.import({ file, dry_run: true, ...(country && { default_country: country }) })
      checkedFiles.set(id, { file, columns: {}, country })
      onChecked(id)
    } catch (error) {
      setProblem(errorText(error))
      setSending(false)
    }
  }
  return (
    <Stack gap="sm" mb="xl">
      <CountrySelect
        label="Country of phone numbers without +"
        description="Reads (415) 555-0199 as a number in that country"
        placeholder="None"
        // Without a choice the organization’s country applies.
        clearable={!organization?.default_country}
        maw={420}
        value={country}
        onChange={setChosen}
      />
      <Dropzone
        onDrop={(files: File[]) => void check(files[0])}
        multiple={false}
        loading={isSending}
        inputProps={{ 'aria-label': 'CSV file' }}
      >
        <Group justify="center" gap="md" mih={140} style={{ pointerEvents: 'none' }}>
          <IconFileSpreadsheet size={40} stroke={1.2} aria-hidden />
          <div>
            <Text size="lg" fw={550}>
              Drop a CSV file here, or click to choose one
            </Text>
            <Text size="sm" c="dimmed">
              The file is checked first. Nothing is imported until you confirm.
            </Text>
          </div>
        </Group>
      </Dropzone>
      {problem && (
        <Alert color="red" variant="light" role="alert" title="Could not upload the file">
          {problem}
        </Alert>
      )}
      <Text size="sm" c="dimmed">
        The first row holds the column names. One column needs phone numbers. Names such as <Code>phone</Code>,{' '}
        <Code>name</Code>, <Code>tags</Code> or <Code>notes</Code> are recognized in many languages; other columns
        become custom fields.{' '}
        <Anchor component="button" size="sm" onClick={() => saveFile('contacts-example.csv', example)}>
          Download an example
        </Anchor>
      </Text>
    </Stack>
  )
}
