import { createHash, createHmac, pbkdf2Sync, randomBytes, randomInt } from 'node:crypto'
import pg, { type ClientConfig } from 'pg'
import { serviceClient } from './connection.ts'

/**
 * Requests connect as a login role of their own. It can become `frontdesk_tenant` and `frontdesk_limited`, which sees
 * less, and no other role, so injected SQL on such a connection reaches neither the owner nor `frontdesk_system` with
 * `set role`, `reset role` or `set_config('role', …)`.
 */
const embeddedLogin = 'frontdesk_tenant_login'

/** How requests connect to the embedded server, which trusts every role on its private socket. */
export const embeddedTenantConnection = <C extends ClientConfig>(owner: C): C => ({ ...owner, user: embeddedLogin })

const loginOf = (connection: ClientConfig): string => new pg.Client(connection).user as string

/** False without TENANT_DATABASE_URL: requests then connect as the owner and only switch to `frontdesk_tenant`. */
export const hasTenantLogin = (owner: ClientConfig, tenant: ClientConfig): boolean => loginOf(owner) !== loginOf(tenant)

/** As the owner: creates the login role if it is missing and lets it become the roles of requests. */
export async function prepareTenantLogin(owner: pg.Client, connection: ClientConfig): Promise<void> {
  const { user = '', password } = new pg.Client(connection)
  const role = pg.escapeIdentifier(user)
  const { rows } = await owner.query(
    `select pg_has_role(oid, 'frontdesk_tenant', 'member') and pg_has_role(oid, 'frontdesk_limited', 'member') as granted
    from pg_roles where rolname = $1`,
    [user],
  )
  const advise = (statement: string) => (error: pg.DatabaseError) => {
    // Another node, or another database of this cluster, created it meanwhile.
    if (error.code === '42710' || error.code === '23505') return
    throw new Error(`Requests cannot connect as ${user}: ${error.message}. As a superuser: ${statement}`)
  }
  if (rows.length === 0)
    await owner
      .query(`create role ${role} login${password ? ` password ${pg.escapeLiteral(scramVerifier(password))}` : ''}`)
      .catch(advise(`create role ${role} login password '…' in role frontdesk_tenant, frontdesk_limited`))
  if (!rows[0]?.granted) {
    const statement = `grant frontdesk_tenant, frontdesk_limited to ${role}`
    await owner.query(statement).catch(advise(statement))
  }
}

/**
 * What the login role of this setting could do besides a tenant, as a sentence that says what to do; undefined when
 * nothing. Roles of a replica are those of its primary.
 */
export async function excessOfLogin(
  owner: pg.Client,
  connection: ClientConfig,
  setting: 'TENANT_DATABASE_URL' | 'REPLICA_DATABASE_URL',
): Promise<string | undefined> {
  const user = loginOf(connection)
  const { rows } = await owner.query<{ excess: string[] }>(
    `select array_remove(array[case when rolsuper then 'superuser' end, case when rolbypassrls then 'bypassrls' end,
        case when rolcreaterole then 'createrole' end, case when rolreplication then 'replication' end], null)
      || array(select other.rolname::text from pg_roles other
        where other.rolname not in (r.rolname, 'frontdesk_tenant', 'frontdesk_limited') and pg_has_role(r.oid, other.oid, 'member')
          and not r.rolsuper order by 1) as excess
    from pg_roles r where rolname = $1`,
    [user],
  )
  const excess = rows[0]?.excess ?? []
  if (excess.length === 0) return undefined
  return `The role ${user} can do more than frontdesk_tenant (${excess.join(', ')}): give requests a role of their own in ${setting}`
}

/**
 * What is wrong with the login role that requests use, as a sentence that says what to do; undefined when nothing is.
 */
export async function tenantLoginFault(owner: pg.Client, connection: ClientConfig): Promise<string | undefined> {
  const user = loginOf(connection)
  const excess = await excessOfLogin(owner, connection, 'TENANT_DATABASE_URL')
  if (excess) return excess
  const client = serviceClient(connection, 'frontdesk migrate')
  // Advisory locks are local to a database: this proves that both URLs lead to the same one.
  const proof = randomInt(2 ** 31)
  try {
    await client.connect()
    await owner.query('select pg_advisory_lock($1)', [proof])
    const { rows: found } = await client.query('select pg_try_advisory_lock($1) as free', [proof])
    if (found[0]?.free) return 'TENANT_DATABASE_URL leads to another database than DATABASE_URL'
    await client.query('set role frontdesk_tenant')
    return undefined
  } catch (error) {
    return `Requests cannot connect as ${user}: ${(error as Error).message}. Check TENANT_DATABASE_URL`
  } finally {
    await owner.query('select pg_advisory_unlock($1)', [proof])
    await client.end().catch(() => {})
  }
}

/**
 * The verifier that PostgreSQL would store for this password (RFC 5802): sent in its place, so that no server log
 * contains the password.
 */
function scramVerifier(password: string): string {
  const [salt, iterations] = [randomBytes(16), 4096]
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest()
  const storedKey = createHash('sha256').update(keyed('Client Key')).digest()
  const encode = (bytes: Buffer) => bytes.toString('base64')
  return `SCRAM-SHA-256$${iterations}:${encode(salt)}$${encode(storedKey)}:${encode(keyed('Server Key'))}`
}
