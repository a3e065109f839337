import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconDownload } from '@tabler/icons-react'
import { useParams } from 'react-router'
import { fileAddress } from '../../data/api.ts'
import { may, useMe } from '../../data/session.tsx'
import { Page } from '../../ui/page.tsx'
import { PathTabs } from '../../ui/path-tabs.tsx'
import { MissingPage } from '../../ui/states.tsx'
import { CallsTab } from './calls-tab.tsx'
import { CampaignsTab } from './campaigns-tab.tsx'
import { ConversationsTab } from './conversations-tab.tsx'
import { conversationFilters, useReportPeriod } from './report-period.ts'

const allTabs = { conversations: 'Conversations', calls: 'Calls', campaigns: 'Campaigns' }
type Tab = keyof typeof allTabs

const exports: Record<Tab, [label: string, by?: string][]> = {
  conversations: [
    ['Over time', 'interval'],
    ['By channel', 'channel'],
    ['By member', 'member'],
    ['By team', 'team'],
    ['By conversation tag', 'ticket_tag'],
    ['By contact tag', 'tag'],
    ['Hand-off reasons', 'handoff_reason'],
  ],
  calls: [['Over time']],
  campaigns: [['By campaign']],
}

export function ReportsPage() {
  const me = useMe()
  const scopes = {
    conversations: may(me, 'inbox:read'),
    calls: may(me, 'calls:read'),
    campaigns: may(me, 'campaigns:manage', 'campaigns:read'),
  }
  const tabs = Object.fromEntries(Object.entries(allTabs).filter(([name]) => scopes[name as Tab])) as Partial<
    Record<Tab, string>
  >
  const { tab = Object.keys(tabs)[0] } = useParams()
  if (!tab || !(tab in tabs)) return <MissingPage />
  return (
    <Page title="Reports" actions={<ExportMenu tab={tab as Tab} />}>
      <PathTabs base="/reports" tabs={tabs as Record<Tab, string>} value={tab as Tab} />
      {{ conversations: <ConversationsTab />, calls: <CallsTab />, campaigns: <CampaignsTab /> }[tab as Tab]}
    </Page>
  )
}

function ExportMenu({ tab }: { tab: Tab }) {
  const { filters, period } = useReportPeriod()
  const narrowed = tab === 'conversations' ? conversationFilters(filters) : {}
  const addressOf = (by: string | undefined) =>
    `/api/v1/reports/${tab}/export?${new URLSearchParams(JSON.parse(JSON.stringify({ ...period, ...narrowed, by })))}`
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="xs" rightSection={<IconChevronDown size={14} />}>
          Export as CSV
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {exports[tab].map(([label, by]) => (
          <Menu.Item
            key={label}
            component="a"
            href={fileAddress(addressOf(by))}
            download
            leftSection={<IconDownload size={14} />}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
