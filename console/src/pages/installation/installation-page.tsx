import { useParams } from 'react-router'
import { useMe } from '../../data/session.tsx'
import { Page } from '../../ui/page.tsx'
import { PathTabs } from '../../ui/path-tabs.tsx'
import { MissingPage } from '../../ui/states.tsx'
import { OrganizationsTab } from './organizations-tab.tsx'
import { WorkTab } from './work-tab.tsx'

const tabs = { organizations: 'Organizations', work: 'Queues and jobs' }
type Tab = keyof typeof tabs

/** For operators: every organization of this installation, and its work. */
export function InstallationPage() {
  const { is_operator } = useMe()
  const { tab = 'organizations' } = useParams()
  if (!is_operator || !(tab in tabs)) return <MissingPage />
  return (
    <Page title="Installation">
      <PathTabs base="/installation" tabs={tabs} value={tab as Tab} />
      {{ organizations: <OrganizationsTab />, work: <WorkTab /> }[tab as Tab]}
    </Page>
  )
}
