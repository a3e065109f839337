import { Anchor } from '@mantine/core'
import { useMe, useSession } from '../data/session.tsx'

/** For a member who cannot work in this organization now: the other organizations, and signing out. */
export function WaysOut() {
  const { organization, organizations } = useMe()
  const { leave, chooseOrganization } = useSession()
  const link = { component: 'button', type: 'button', size: 'sm', ta: 'left' } as const
  return (
    <>
      {organizations
        .filter(({ id }) => id !== organization.id)
        .map(({ id, name }) => (
          <Anchor key={id} {...link} onClick={() => chooseOrganization(id)}>
            Switch to {name}
          </Anchor>
        ))}
      <Anchor {...link} onClick={() => void leave()}>
        Sign out
      </Anchor>
    </>
  )
}
