import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { readCursorPage } from '../../../platform/http/pagination.ts'
import { sql } from '../../../platform/sql.ts'
import { Faq, type FaqFilter, type NewFaq } from './schema.ts'

const columns = sql`f.id, f.organization_id, f.question, f.answer, f.variants,
  case when d.status = 'ready' and r.status is not null then r.status else d.status end as status,
  coalesce(r.error, d.error) as error, f.livemode, f.created_at, f.updated_at`

const joined = sql`faqs f join documents d on d.id = f.id left join document_replacements r on r.document_id = f.id`

export const listFaqs = (tx: TenantSql, { search = '', ...page }: FaqFilter) => {
  const where = sql`(${search} = '' or strpos(
    lower(f.question || E'\n' || array_to_string(f.variants, E'\n') || E'\n' || f.answer), lower(${search})) > 0)`
  const total = sql`select count(*) as total_count from faqs f where ${where}`
  return readCursorPage<Faq>(tx, { columns, from: joined, where, id: sql`f.id`, total }, page)
}

export const findFaq = (tx: TenantSql, id: string) => tx.maybe(Faq)`select ${columns} from ${joined} where f.id = ${id}`

const FaqText = Type.Object({ question: Type.String(), answer: Type.String(), variants: Type.Array(Type.String()) })

export const findFaqText = (tx: TenantSql, id: string) =>
  tx.maybe(FaqText)`select question, answer, variants from faqs where id = ${id}`

const Asked = Type.Object({ id: Type.String() })

export const findAsked = (tx: TenantSql, question: string) =>
  tx.maybe(Asked)`select id from faqs where md5(lower(question)) = md5(lower(${question}))`

const Imported = Type.Object({ row: Type.Integer(), id: Type.String(), ...FaqText.properties })

/** The entries that have one of these questions, each with the place of the question among them. */
export const listAsked = (tx: TenantSql, questions: string[]) =>
  tx.all(Imported)`
    select (place - 1)::integer as row, f.id, f.question, f.answer, f.variants
    from unnest(${questions}::text[]) with ordinality wanted (question, place)
      join faqs f on md5(lower(f.question)) = md5(lower(wanted.question))
    order by place`

export const insertFaq = (tx: TenantTx, id: string, { question, answer, variants = [] }: NewFaq) =>
  tx.run`insert into faqs (id, question, answer, variants) values (${id}, ${question}, ${answer}, ${variants})`

export const updateFaqRow = (tx: TenantTx, id: string, { question, answer, variants = [] }: NewFaq) =>
  tx.run`
    update faqs set question = ${question}, answer = ${answer}, variants = ${variants}, updated_at = now()
    where id = ${id}`

const Exported = Type.Object({ id: Type.String(), ...FaqText.properties })

/** The next entries, oldest first. */
export const readFaqsAfter = (tx: TenantSql, after: string, limit: number) =>
  tx.all(Exported)`select id, question, answer, variants from faqs where id > ${after} order by id limit ${limit}`

const Count = Type.Object({ n: Type.Integer() })

export const countFaqs = async (tx: TenantSql): Promise<number> =>
  (await tx.one(Count)`select count(*)::integer as n from faqs`).n
