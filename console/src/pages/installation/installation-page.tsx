import { Card, Stack, Text } from '@mantine/core'
import { useParams } from 'react-router'
import { useMe, useSession } from '../../data/session.tsx'
import { SetUpAuthenticator } from '../../records/second-factors/set-up-authenticator.tsx'
import { Page } from '../../ui/page.tsx'
import { PathTabs } from '../../ui/path-tabs.tsx'
import { MissingPage } from '../../ui/states.tsx'
import { ActionsTab } from './actions-tab.tsx'
import { OrganizationsTab } from './organizations-tab.tsx'
import { WorkTab } from './work-tab.tsx'

const tabs = { organizations: 'Organizations', work: 'Queues and jobs', actions: 'Operator actions' }
type Tab = keyof typeof tabs

/** For operators: every organization of this installation, and its work. */
export function InstallationPage() {
  const { is_operator, operator_needs_second_factor } = useMe()
  const { enter } = useSession()
  const { tab = 'organizations' } = useParams()
  if (!is_operator || !(tab in tabs)) return <MissingPage />
  if (operator_needs_second_factor)
    return (
      <Page title="Installation">
        <Card withBorder maw={440}>
          <Stack>
            <Text size="sm">
              Operators of this installation need a second factor. You need an authenticator app on your phone.
            </Text>
            <SetUpAuthenticator done={() => void enter()} />
          </Stack>
        </Card>
      </Page>
    )
  return (
    <Page title="Installation">
      <PathTabs base="/installation" tabs={tabs} value={tab as Tab} />
      {{ organizations: <OrganizationsTab />, work: <WorkTab />, actions: <ActionsTab /> }[tab as Tab]}
    </Page>
  )
}
