import type pg from 'pg'

/** The texts of all statements that a pool's connections send from now on. */
export function watchStatements(pool: pg.Pool): Set<string> {
  const texts = new Set<string>()
  const watched = new WeakSet<pg.PoolClient>()
  pool.on('acquire', (client) => {
    if (watched.has(client)) return
    watched.add(client)
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((pipeline: { statements?: { text: string }[] }, ...rest: unknown[]) => {
      for (const { text } of pipeline.statements ?? []) texts.add(text)
      return query(pipeline, ...rest)
    }) as never
  })
  return texts
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  Plans?: PlanNode[]
}

/**
 * The scans of tenant tables without a condition on the organization, in the plans that PostgreSQL makes for the tenant
 * role. What `security definer` functions read is not in the plans.
 */
export async function unscopedReads(owner: pg.Client, statements: string[]): Promise<string[]> {
  const { rows: relations } = await owner.query(
    `select attrelid::regclass::text as name from pg_attribute where attname = 'organization_id'`,
  )
  const tables = new Set(relations.map(({ name }) => name))
  const found: string[] = []
  await owner.query('set role frontdesk_tenant')
  for (const text of statements.filter((each) => /^\s*(select|insert|update|delete|with)\b/i.test(each))) {
    const { rows } = await owner.query(`explain (generic_plan, format json) ${text}`)
    const look = ({ Plans = [], ...node }: PlanNode) => {
      const table = node['Relation Name']
      const isScan = node['Node Type'].endsWith('Scan')
      if (isScan && tables.has(table) && !JSON.stringify(node).includes('organization_id = '))
        found.push(`${table}: ${text}`)
      Plans.forEach(look)
    }
    look(rows[0]['QUERY PLAN'][0].Plan)
  }
  return found
}
