import { type Fragment, sql } from '../../../platform/sql.ts'
import type { Template, TemplateVariables } from '../schema.ts'

export const hiddenCode = '••••••'

const secretCategory: Template['category'] = 'AUTHENTICATION'

/** Messages of authentication templates carry a one-time code and no other value. */
export const carriesCode = (category: string | null): boolean => category === secretCategory

/** The values as they are stored with a message and shown: the recipient alone reads the code. */
export const shownValues = (category: string | null, values: TemplateVariables): TemplateVariables =>
  carriesCode(category) ? Object.fromEntries(Object.keys(values).map((key) => [key, hiddenCode])) : values

/** The same in SQL. */
export const shownValuesSql = (category: Fragment, values: Fragment): Fragment => sql`case
  when ${category} = ${secretCategory} then (select coalesce(jsonb_object_agg(key, ${hiddenCode}::text), '{}') from jsonb_each(${values}))
  else ${values} end`
