import Type, { type Static } from 'typebox'
import type { TenantSql } from '../../../platform/database.ts'
import { Nullable } from '../../../platform/schemas.ts'

const Question = Type.Object({
  /** Of the organization's knowledge; zero while there is nothing to find. */
  version: Type.Integer(),
  chunks: Type.Number(),
  total_lexemes: Type.Number(),
  /** The models whose vectors answer, the one with most of them first. */
  models: Type.Array(Type.String()),
  /** The lexemes of the question in each language that documents have, the one with most chunks first. */
  languages: Type.Array(Type.Object({ language: Type.String(), lexemes: Type.Array(Type.String()) })),
})
export type Question = Static<typeof Question>

/** What both halves of a search have to know before they rank, in one round trip. */
export const readQuestion = (tx: TenantSql, words: string) =>
  tx.one(Question)`
    with total as materialized (
      select language, embedding_model, chunk_count, lexeme_count from knowledge_totals where chunk_count > 0
    )
    select coalesce((select version from knowledge_versions), 0) as version,
      coalesce((select sum(chunk_count) from total), 0)::float8 as chunks,
      coalesce((select sum(lexeme_count) from total), 0)::float8 as total_lexemes,
      array(
        select embedding_model from total where embedding_model <> ''
        group by embedding_model order by sum(chunk_count) desc
      ) as models,
      array(
        select json_build_object(
          'language', language, 'lexemes', tsvector_to_array(to_tsvector(language::regconfig, ${words})))
        from total group by language order by sum(chunk_count) desc
      ) as languages`

const KeywordHit = Type.Object({
  document_id: Type.String(),
  ordinal: Type.Integer(),
  score: Type.Number(),
  /** How much of the question, by the weight of its words, the chunk covers; from 0 to 1. */
  coverage: Type.Number(),
})
export type KeywordHit = Static<typeof KeywordHit>
const KeywordRanking = Type.Object({
  lexemes: Type.Array(Type.String()),
  /** Words that no chunk has, in the language of the question. */
  unknown: Type.Array(Type.String()),
  /** The sum of the weights of the question's words, in the language of the question. */
  whole: Type.Number(),
  /** Of the question: where it has most stop words; where several have as many, that of most chunks. */
  language: Type.String(),
  hits: Type.Array(KeywordHit),
})
export type KeywordRanking = Static<typeof KeywordRanking>

export interface KeywordQuery {
  /** As `wordsOfQuestion` returns them. */
  words: string
  /** Lexemes that may have been meant by words that no chunk has. */
  guesses?: string[]
  documentIds: string[] | null
  limit: number
}

/**
 * BM25 (k1 1.2, b 0.75) over the chunks that have any of the words, and the lexemes that were looked up, which differ
 * by document language. A word's weight is its rarity among all chunks of the organization, whichever documents are
 * asked for.
 */
export const rankByKeyword = (tx: TenantSql, { words, guesses = [], documentIds, limit }: KeywordQuery) =>
  tx.one(KeywordRanking)`
    with total as materialized (
      select language, chunks, lexemes, asked,
        row_number() over (order by cardinality(asked), language_chunks desc) = 1 as is_main
      from (
        select language, sum(chunk_count) as language_chunks, sum(sum(chunk_count)) over ()::float8 as chunks,
          sum(sum(lexeme_count)) over ()::float8 as lexemes,
          tsvector_to_array(to_tsvector(language::regconfig, ${words})) as asked
        from knowledge_totals where chunk_count > 0 group by language
      ) known
    ), wanted as materialized (
      select language, lexeme, chunks, lexemes, is_main
      from total, unnest(asked || ${guesses}::text[]) lexeme
      group by language, lexeme, chunks, lexemes, is_main
    ), matched as materialized (
      select l.lexeme, d.language, l.document_id, l.part, l.postings
      from document_lexemes l join documents d on d.id = l.document_id and d.status = 'ready'
      where l.lexeme = any (array(select lexeme from wanted))
    ), weighed as materialized (
      select language, lexeme, weight, sum(weight) over (partition by language) as whole,
        0.9 * chunks / lexemes as slope, is_main, n is null as is_unknown
      from wanted left join (
          select lexeme, sum(cardinality(postings))::float8 as n from matched group by lexeme
        ) counted using (lexeme),
        lateral (select ln(1 + (chunks - coalesce(n, 0) + 0.5) / (coalesce(n, 0) + 0.5))
          -- What is only guessed counts half.
          * case when lexeme = any (${guesses}::text[]) then 0.5 else 1 end as weight) weight
    ), ranked as (
      select document_id, first + (posting >> 16) as ordinal, sum(weight) / min(whole) as coverage,
        2.2 * sum(weight * (posting >> 10 & 63) / ((posting >> 10 & 63) + 0.3::float8 + slope * (posting & 1023))) as score
      from (
        select document_id, part << 10 as first, weight, whole, slope, unnest(postings) as posting
        from matched join weighed using (language, lexeme)
        where ${documentIds}::uuid[] is null or document_id = any (${documentIds})
      ) posting
      group by document_id, 2
      order by score desc, document_id, ordinal
      limit ${limit}
    )
    select array(select distinct lexeme from wanted) as lexemes,
      array(select lexeme from weighed where is_main and is_unknown) as unknown,
      coalesce((select max(whole) from weighed where is_main), (select max(whole) from weighed), 0) as whole,
      coalesce((select language from total where is_main), '') as language,
      coalesce((select json_agg(ranked) from ranked), '[]') as hits`

const LanguageSample = Type.Object({ language: Type.String(), sample: Type.String() })

/** The three languages with most chunks among the newest thousand documents, each with the beginning of a document. */
export const sampleLanguages = (tx: TenantSql, documentIds: string[] | null) =>
  tx.all(LanguageSample)`
    with newest as (
      select id, language, chunk_count from documents
      where status = 'ready' and (${documentIds}::uuid[] is null or id = any (${documentIds}::uuid[]))
      order by id desc limit 1000
    ), languages as (
      select language, sum(chunk_count) as chunks, (array_agg(id order by chunk_count desc))[1] as document_id
      from newest group by language order by chunks desc limit 3
    )
    select l.language, left(c.text, 300) as sample
    from languages l join chunks c on c.document_id = l.document_id and c.ordinal = 0
    order by l.chunks desc`

const TextSample = Type.Object({ text: Type.String() })

/** The beginnings of the newest documents. */
export const sampleTexts = (tx: TenantSql, documentIds: string[] | null) =>
  tx.all(TextSample)`
    with newest as (
      select id from documents
      where status = 'ready' and (${documentIds}::uuid[] is null or id = any (${documentIds}::uuid[]))
      order by id desc limit 30
    )
    select left(c.text, 3000) as text from newest n join chunks c on c.document_id = n.id and c.ordinal < 3`

const Passage = Type.Object({
  chunk_id: Type.String(),
  document_id: Type.String(),
  file_name: Type.String(),
  page: Nullable(Type.Integer()),
  heading: Type.String(),
  start_offset: Type.Integer(),
  end_offset: Type.Integer(),
  text: Type.String(),
  ordinal: Type.Integer(),
})

/** Unordered; chunks of a document that was deleted meanwhile are missing. */
export const readPassages = (tx: TenantSql, chunks: { document_id: string; ordinal: number }[]) =>
  tx.all(Passage)`
    select c.id as chunk_id, c.document_id, d.file_name, c.page, c.heading, c.start_offset, c.end_offset, c.text, c.ordinal
    from unnest(${chunks.map((chunk) => chunk.document_id)}::uuid[], ${chunks.map((chunk) => chunk.ordinal)}::integer[])
        wanted (document_id, ordinal)
      join chunks c on c.document_id = wanted.document_id and c.ordinal = wanted.ordinal
      join documents d on d.id = wanted.document_id and d.status = 'ready'`

/** For the current transaction: PostgreSQL cancels statements that take longer. */
export const limitStatements = (tx: TenantSql, ms: number) =>
  tx.run`select set_config('statement_timeout', ${String(ms)}, true)`

const Similar = Type.Object({ word: Type.String(), lexeme: Type.String() })

/** Lexemes of the organization that begin like one of the words; skips from each to the next in the index. */
export const listLexemesLike = (tx: TenantSql, words: string[], { prefix, limit }: { prefix: number; limit: number }) =>
  tx.all(Similar)`
    select word, lexeme
    from unnest(${words}::text[]) word, lateral (
      with recursive near as (
        (select lexeme from document_lexemes
          where lexeme >= left(word, ${prefix}) and lexeme < left(word, ${prefix}) || chr(1114111)
          order by lexeme limit 1)
        union all
        select (select l.lexeme from document_lexemes l
          where l.lexeme > s.lexeme and l.lexeme < left(word, ${prefix}) || chr(1114111)
          order by l.lexeme limit 1)
        from near s where s.lexeme is not null
      )
      select lexeme from near where lexeme is not null limit ${limit}
    ) near`
