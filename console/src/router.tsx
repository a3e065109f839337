import { createBrowserRouter, type RouteObject } from 'react-router'
import { Frame } from './shell/frame.tsx'
import { CrashPage, MissingPage } from './ui/states.tsx'

type Page = { [name: string]: React.ComponentType }

/** Each page is a chunk, loaded when it is first opened. */
const page = (path: string, load: () => Promise<Page>): RouteObject => ({
  path,
  lazy: async () => ({ Component: Object.values(await load())[0] as React.ComponentType }),
})

export const router = createBrowserRouter([
  {
    element: <Frame />,
    // The skeleton of index.html stays until the first page is loaded; the frame alone would flicker.
    hydrateFallbackElement: <span />,
    errorElement: <CrashPage />,
    children: [
      {
        errorElement: <CrashPage />,
        children: [
          page('/', () => import('./pages/dashboard/dashboard-page.tsx')),
          page('/inbox/:ticketId?', () => import('./pages/inbox/inbox-page.tsx')),
          page('/contacts', () => import('./pages/contacts/contacts-page.tsx')),
          page('/contacts/import', () => import('./pages/contacts/import-page.tsx')),
          page('/contacts/:contactId', () => import('./pages/contacts/contact-page.tsx')),
          page('/tasks', () => import('./pages/tasks/tasks-page.tsx')),
          page('/templates', () => import('./pages/templates/templates-page.tsx')),
          page('/templates/new', () => import('./pages/templates/new-template-page.tsx')),
          page('/templates/library', () => import('./pages/templates/library-page.tsx')),
          page('/templates/:templateId', () => import('./pages/templates/template-page.tsx')),
          page('/campaigns', () => import('./pages/campaigns/campaigns-page.tsx')),
          page('/campaigns/new', () => import('./pages/campaigns/new-campaign-page.tsx')),
          page('/campaigns/:campaignId/edit', () => import('./pages/campaigns/edit-campaign-page.tsx')),
          page('/campaigns/:campaignId', () => import('./pages/campaigns/campaign-page.tsx')),
          page('/agents', () => import('./pages/agents/agents-page.tsx')),
          page('/agents/new', () => import('./pages/agents/new-agent-page.tsx')),
          page('/agents/:agentId', () => import('./pages/agents/agent-page.tsx')),
          page('/calls', () => import('./pages/calls/calls-page.tsx')),
          page('/calls/:callId', () => import('./pages/calls/call-page.tsx')),
          page('/knowledge', () => import('./pages/knowledge/knowledge-page.tsx')),
          page('/knowledge/files', () => import('./pages/knowledge/knowledge-page.tsx')),
          page('/knowledge/websites', () => import('./pages/knowledge/websites-page.tsx')),
          page('/knowledge/websites/:websiteId', () => import('./pages/knowledge/website-page.tsx')),
          page('/knowledge/faqs', () => import('./pages/knowledge/faqs-page.tsx')),
          page('/knowledge/collections', () => import('./pages/knowledge/collections-page.tsx')),
          page('/knowledge/collections/:collectionId', () => import('./pages/knowledge/collection-page.tsx')),
          page('/knowledge/gaps', () => import('./pages/knowledge/gaps-page.tsx')),
          page('/knowledge/feedback', () => import('./pages/knowledge/feedback-page.tsx')),
          page('/knowledge/:documentId', () => import('./pages/knowledge/document-page.tsx')),
          page('/reports/:tab?', () => import('./pages/reports/reports-page.tsx')),
          page('/developers/webhooks/:webhookId', () => import('./pages/developers/webhook-page.tsx')),
          page('/developers/:tab?', () => import('./pages/developers/developers-page.tsx')),
          page('/settings/:tab?', () => import('./pages/settings/settings-page.tsx')),
          page('/installation/:tab?', () => import('./pages/installation/installation-page.tsx')),
          { path: '*', element: <MissingPage /> },
        ],
      },
    ],
  },
])
