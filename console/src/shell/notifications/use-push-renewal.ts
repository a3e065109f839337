import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { choice } from '../../data/api.ts'
import { useSession } from '../../data/session.tsx'
import { renewPush } from '../../records/notifications/this-device.ts'

/** Binds push notifications of this browser to the current session, and opens what the member clicked. */
export function usePushRenewal(): void {
  const navigate = useNavigate()
  const { chooseMode, chooseOrganization } = useSession()
  useEffect(() => {
    // Without the service the browser keeps its former subscription.
    renewPush().catch(() => {})
  }, [])
  useEffect(() => {
    const open = (address: string | undefined) => {
      const url = address === undefined ? undefined : new URL(address, location.origin)
      const organization = url?.searchParams.get('organization')
      if (!url || !organization || url.origin !== location.origin) return
      // Pushes are about live mode alone and do not name it.
      const mode = url.searchParams.get('mode') === 'test' ? 'test' : 'live'
      if (choice.mode !== mode) chooseMode(mode)
      if (organization !== choice.organizationId) chooseOrganization(organization)
      void navigate(url.pathname, { replace: url.pathname === location.pathname })
    }
    // In a tab that the service worker opened.
    open(location.href)
    if (!('serviceWorker' in navigator)) return
    const onMessage = ({ data }: MessageEvent<{ type?: string; url?: string }>) => open(data?.url)
    navigator.serviceWorker.addEventListener('message', onMessage)
    return () => navigator.serviceWorker.removeEventListener('message', onMessage)
  }, [navigate, chooseMode, chooseOrganization])
}
