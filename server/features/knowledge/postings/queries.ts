import Type from 'typebox'
import type { TenantSql } from '../../../platform/database.ts'

const ReadyDocument = Type.Object({
  id: Type.String(),
  revision: Type.Integer(),
  language: Type.String(),
  chunk_count: Type.Integer(),
})

/** A document's revision changes when its text is replaced under the same id. */
export const listReadyDocuments = (tx: TenantSql) =>
  tx.all(ReadyDocument)`
    select id, revision, language, chunk_count
    from documents where status = 'ready' order by id`

const PostingRows = Type.Object({
  document_id: Type.String(),
  part: Type.Integer(),
  lexemes: Type.String(),
  postings: Type.Unsafe<Buffer>({}),
})

/** One row per document and part: its lexemes, one per line, and in the same order their postings in PostgreSQL’s binary form. */
export const readPostings = (tx: TenantSql, documentIds: string[]) =>
  tx.all(PostingRows)`
    select document_id, part, string_agg(lexeme, ${'\n'}) as lexemes, string_agg(array_send(postings), ''::bytea) as postings
    from document_lexemes where document_id = any (${documentIds})
    group by document_id, part
    order by document_id, part`
