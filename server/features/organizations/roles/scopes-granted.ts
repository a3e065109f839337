import { builtInRoles, isBuiltIn, type Role, type Scope, scopesOfRole } from '../schema.ts'

const builtIn = new Map(builtInRoles.map((role) => [role, new Set<string>(scopesOfRole[role])]))

/** What a role allows; the scopes of a custom role come from its row. */
export const scopesGranted = (role: Role, custom: readonly Scope[] | null): ReadonlySet<string> =>
  (isBuiltIn(role) && builtIn.get(role)) || new Set(custom)
