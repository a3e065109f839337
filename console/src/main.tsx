// Mantine's styles are in a cascade layer, so our own win in whatever order the files are loaded.
import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import './ui/style.css'
import './shell/skeleton.css'
import { MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { queries } from './data/queries.ts'
import { SessionProvider } from './data/session.tsx'
import { router } from './router.tsx'
import { SessionGate } from './shell/session-gate.tsx'
import { theme } from './ui/theme.ts'
import { Toasts } from './ui/toasts.tsx'

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <ModalsProvider>
          <Toasts />
          <SessionProvider>
            <SessionGate>
              <RouterProvider router={router} />
            </SessionGate>
          </SessionProvider>
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
