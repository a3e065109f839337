import '@mantine/dropzone/styles.layer.css'
import { useSearchParams } from 'react-router'
import { RecordPage } from '../../ui/record-page.tsx'
import { ImportList } from './import-list.tsx'
import { ImportReport } from './import-report.tsx'
import { ImportStart } from './import-start.tsx'

export function ImportPage() {
  const [params, setParams] = useSearchParams()
  const id = params.get('id')
  return (
    <RecordPage list={{ to: '/contacts', label: 'Contacts' }} title="Import contacts">
      {id ? (
        <ImportReport key={id} id={id} onNext={(next) => setParams(next ? { id: next } : {})} />
      ) : (
        <ImportStart onChecked={(next) => setParams({ id: next })} />
      )}
      <ImportList shownId={id} />
    </RecordPage>
  )
}
