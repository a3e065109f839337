import { Anchor } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useParams } from 'react-router'
import { may, useMe } from '../../data/session.tsx'
import { Page } from '../../ui/page.tsx'
import { PathTabs } from '../../ui/path-tabs.tsx'
import { EmptyState, MissingPage } from '../../ui/states.tsx'
import { EventsTab } from './events-tab.tsx'
import { KeysTab } from './keys-tab.tsx'
import { QuickStartTab } from './quick-start-tab.tsx'
import { WebhooksTab } from './webhooks-tab.tsx'

const tabs = { keys: 'API keys', webhooks: 'Webhooks', events: 'Events', start: 'Quick start' }
type Tab = keyof typeof tabs

export function DevelopersPage() {
  const me = useMe()
  const { tab = 'keys' } = useParams()
  if (!(tab in tabs)) return <MissingPage />
  const isForOthers = (tab === 'keys' && !may(me, 'full_access')) || (tab === 'webhooks' && !may(me, 'webhooks:admin'))
  return (
    <Page
      title="Developers"
      actions={
        <Anchor href="/docs" target="_blank" rel="noreferrer" size="sm">
          API reference <IconExternalLink size={14} style={{ verticalAlign: -2 }} />
        </Anchor>
      }
    >
      <PathTabs base="/developers" tabs={tabs} value={tab as Tab} />
      {isForOthers ? (
        <EmptyState title="Not available for your role">
          Ask an owner or admin of {me.organization.name} for a key or webhook.
        </EmptyState>
      ) : (
        { keys: <KeysTab />, webhooks: <WebhooksTab />, events: <EventsTab />, start: <QuickStartTab /> }[tab as Tab]
      )}
    </Page>
  )
}
