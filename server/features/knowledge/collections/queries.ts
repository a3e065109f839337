import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { readCursorPage } from '../../../platform/http/pagination.ts'
import { sql } from '../../../platform/sql.ts'
import { Collection, type CollectionFilter } from './schema.ts'

const columns = sql`id, organization_id, name, description, (
    select count(*) from collection_documents c where c.organization_id = collections.organization_id
      and c.livemode = collections.livemode and c.collection_id = collections.id)::integer as document_count,
  livemode, created_at, updated_at`

export const listCollections = (tx: TenantSql, { search = '', ...page }: CollectionFilter) => {
  const where = sql`strpos(lower(name || ' ' || description), lower(${search})) > 0`
  return readCursorPage<Collection>(tx, { columns, from: sql`collections`, where }, page)
}

export const findCollection = (tx: TenantSql, id: string) =>
  tx.maybe(Collection)`select ${columns} from collections where id = ${id}`

export const lockCollection = (tx: TenantTx, id: string) =>
  tx.maybe(Collection)`select ${columns} from collections where id = ${id} for update`

export const findCollectionNamed = (tx: TenantSql, name: string) =>
  tx.maybe(Collection)`select ${columns} from collections where lower(name) = lower(${name})`

const Count = Type.Object({ n: Type.Integer() })

export const countCollections = (tx: TenantTx) => tx.one(Count)`select count(*)::integer as n from collections`

export const insertCollection = (
  tx: TenantTx,
  id: string,
  { name, description }: { name: string; description: string },
) => tx.run`insert into collections (id, name, description) values (${id}, ${name}, ${description})`

export const updateCollectionRow = (
  tx: TenantTx,
  id: string,
  { name, description }: { name: string; description: string },
) =>
  tx.one(Collection)`
    update collections set name = ${name}, description = ${description}, updated_at = now() where id = ${id}
    returning ${columns}`

export const deleteCollectionRow = (tx: TenantTx, id: string) =>
  tx.maybe(Collection)`delete from collections where id = ${id} returning ${columns}`

/** Returns how many were not in it before. Locks nothing that another member needs. */
export const addDocuments = (tx: TenantTx, collectionId: string, documentIds: string[]) =>
  tx.run`
    insert into collection_documents (collection_id, document_id)
    select ${collectionId}, document_id from unnest(${documentIds}::uuid[]) document_id
    on conflict do nothing`

export const removeDocument = (tx: TenantTx, collectionId: string, documentId: string) =>
  tx.run`delete from collection_documents where collection_id = ${collectionId} and document_id = ${documentId}`

const KnownId = Type.Object({ id: Type.String() })

export const listKnownCollections = (tx: TenantSql, ids: string[]) =>
  tx.all(KnownId)`select id from collections where id = any (${ids}::uuid[])`

export const listNamedCollections = (tx: TenantSql, ids: string[]) =>
  tx.all(Collection)`select ${columns} from collections where id = any (${ids}::uuid[]) order by id`

const MemberId = Type.Object({ document_id: Type.String() })

/** Each once; deleted collections have none. */
export const listDocumentsIn = (tx: TenantSql, collectionIds: string[]) =>
  tx.all(MemberId)`
    select distinct document_id from collection_documents where collection_id = any (${collectionIds}::uuid[])
    order by document_id`
