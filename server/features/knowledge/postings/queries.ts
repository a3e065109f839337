import Type, { type Static } from 'typebox'
import type { TenantSql } from '../../../platform/database.ts'

const QuestionInLanguage = Type.Object({
  language: Type.String(),
  lexemes: Type.Array(Type.String()),
  is_main: Type.Boolean(),
  /** Of all languages. */
  chunks: Type.Number(),
  total_lexemes: Type.Number(),
  version: Type.Integer(),
})
export type QuestionInLanguage = Static<typeof QuestionInLanguage>

/** The lexemes of a question in each language that documents have; none while there is nothing to find. */
export const readQuestion = (tx: TenantSql, words: string) =>
  tx.all(QuestionInLanguage)`
    select language, tsvector_to_array(to_tsvector(language::regconfig, ${words})) as lexemes,
      row_number() over (order by sum(chunk_count) desc) = 1 as is_main,
      sum(sum(chunk_count)) over ()::float8 as chunks, sum(sum(lexeme_count)) over ()::float8 as total_lexemes,
      coalesce((select version from knowledge_versions), 0) as version
    from knowledge_totals where chunk_count > 0 group by language`

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
