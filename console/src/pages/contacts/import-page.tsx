import '@mantine/dropzone/styles.css'
import { Anchor, Stack, Title } from '@mantine/core'
import { Link, useSearchParams } from 'react-router'
import { Page } from '../../ui/page.tsx'
import { ImportList } from './import-list.tsx'
import { ImportReport } from './import-report.tsx'
import { ImportStart } from './import-start.tsx'

export function ImportPage() {
  const [params, setParams] = useSearchParams()
  const id = params.get('id')
  return (
    <Page
      title="Import contacts"
      head={
        <Stack gap={0}>
          <Anchor component={Link} to="/contacts" size="xs" c="dimmed">
            Contacts
          </Anchor>
          <Title order={1}>Import contacts</Title>
        </Stack>
      }
    >
      {id ? (
        <ImportReport key={id} id={id} onNext={(next) => setParams(next ? { id: next } : {})} />
      ) : (
        <ImportStart onChecked={(next) => setParams({ id: next })} />
      )}
      <ImportList shownId={id} />
    </Page>
  )
}
