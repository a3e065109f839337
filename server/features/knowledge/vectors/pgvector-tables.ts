import pg, { type ClientConfig } from 'pg'
import { serviceClient } from '../../../platform/connection.ts'
import { Fragment, sql } from '../../../platform/sql.ts'

/** pgvector builds no graph over longer vectors. */
export const maxIndexedDimensions = 2000

/**
 * The stored bytes as vectors. The scale in front of each child is left out: only directions are compared. PostgreSQL
 * reads bytes without a sign.
 */
const vectorsOf = `
  select v.organization_id, v.livemode, v.document_id, v.ordinal, child, v.model, (
      select array_agg((get_byte(v.vectors, child * bytes + 4 + i) # 128) - 128 order by i)
      from generate_series(0, bytes - 5) i)::real[]::vector
  from chunk_vectors v
    join chunks c on c.organization_id = v.organization_id and c.livemode = v.livemode
      and c.document_id = v.document_id and c.ordinal = v.ordinal,
    lateral (select length(v.vectors) / cardinality(c.child_lengths)) size (bytes),
    generate_series(0, cardinality(c.child_lengths) - 1) child
  where `

export const fillFrom = (condition: Fragment): Fragment => sql`${new Fragment([vectorsOf], [])}${condition}`

const missing = `exists (
    select from documents d where d.organization_id = v.organization_id and d.livemode = v.livemode
      and d.id = v.document_id and d.status = 'ready' and d.embedding_model = v.model)
  and not exists (
    select from chunk_embeddings e where e.organization_id = v.organization_id and e.livemode = v.livemode
      and e.document_id = v.document_id and e.model = v.model and e.ordinal = v.ordinal)`

const tables = `
  create extension if not exists vector;
  do $$ begin
    if to_regclass('chunk_embeddings') is null then
      create table chunk_embeddings (
        organization_id uuid not null default current_organization(),
        livemode        boolean not null default current_livemode(),
        document_id     uuid not null,
        ordinal         integer not null,
        child           smallint not null,
        model           text not null,
        embedding       vector not null,
        primary key (organization_id, livemode, document_id, model, ordinal, child),
        foreign key (organization_id, livemode, document_id) references documents on delete cascade
      );
      call protect_tenant_table('chunk_embeddings');
    end if;
  end $$`

/** Filled from `chunk_vectors` whenever a node starts with pgvector. */
export const derivedTables = ['public.chunk_embeddings']

export interface OwnerSql {
  query(text: string): Promise<{ rows: unknown[] }>
}

/**
 * As the database's owner: creates the table, brings it up to date, and builds a graph for each model that needs one.
 */
export async function setUpPgvector(owner: OwnerSql, { approximateFrom }: { approximateFrom: number }): Promise<void> {
  await owner.query(tables)
  // Row-level security is forced on the tables, so even their owner sees no rows without a policy.
  await owner.query('set role frontdesk_system')
  await owner.query(`
    insert into chunk_embeddings (organization_id, livemode, document_id, ordinal, child, model, embedding)
    ${vectorsOf} ${missing} on conflict do nothing`)
  const { rows } = await owner.query(`
    select embedding_model as model, (
        select vector_dims(embedding) from chunk_embeddings where model = embedding_model limit 1) as dimensions
    from knowledge_totals where embedding_model <> '' group by organization_id, livemode, embedding_model
    having sum(chunk_count) >= ${approximateFrom}`)
  await owner.query('reset role')
  for (const { model, dimensions } of rows as { model: string; dimensions: number | null }[]) {
    if (!dimensions || dimensions > maxIndexedDimensions) continue
    const name = `chunk_embeddings_${model.toLowerCase().replace(/[^a-z0-9]+/g, '_')}_${dimensions}`.slice(0, 63)
    await owner.query(`
      create index if not exists ${name} on chunk_embeddings
      using hnsw ((embedding::vector(${dimensions})) vector_cosine_ops) where model = ${pg.escapeLiteral(model)}`)
  }
}

/** One node at a time: the others find it done. */
export async function connectAndSetUpPgvector(connection: ClientConfig, options: { approximateFrom: number }) {
  const client = serviceClient(connection, 'frontdesk pgvector')
  await client.connect()
  try {
    await client.query(`select pg_advisory_lock(hashtext('frontdesk pgvector'))`)
    await setUpPgvector(client, options)
  } catch (error) {
    if ((error as { code?: string }).code === notInstalled)
      throw new Error('VECTOR_INDEX=pgvector needs the extension `vector`, which this PostgreSQL does not have', {
        cause: error,
      })
    throw error
  } finally {
    await client.end()
  }
}

const notInstalled = '0A000'
