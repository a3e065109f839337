import { createBrowserRouter, type RouteObject } from 'react-router'
import { CrashPage, MissingPage } from '../parts/states.tsx'
import { Frame } from './frame.tsx'

type Page = { [name: string]: React.ComponentType }

/** Each page is a file of its own, fetched when it is first opened. */
const page = (path: string, load: () => Promise<Page>): RouteObject => ({
  path,
  lazy: async () => ({ Component: Object.values(await load())[0] as React.ComponentType }),
})

export const router = createBrowserRouter([
  {
    element: <Frame />,
    errorElement: <CrashPage />,
    children: [
      {
        errorElement: <CrashPage />,
        children: [
          page('/', () => import('../pages/dashboard/dashboard-page.tsx')),
          page('/contacts', () => import('../pages/contacts/contacts-page.tsx')),
          page('/contacts/:contactId', () => import('../pages/contacts/contact-page.tsx')),
          page('/tasks', () => import('../pages/tasks/tasks-page.tsx')),
          { path: '*', element: <MissingPage /> },
        ],
      },
    ],
  },
])
