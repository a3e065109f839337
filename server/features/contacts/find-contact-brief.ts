import Type from 'typebox'
import type { TenantSql } from '../../platform/database.ts'
import { FreeObject } from '../../platform/schemas.ts'

const ContactBrief = Type.Object({
  id: Type.String(),
  name: Type.String(),
  phone_number: Type.String(),
  tags: Type.Array(Type.String()),
  notes: Type.String(),
  custom_fields: FreeObject(),
})

/** Who is at the other end, as an agent is told. */
export const findContactBrief = (sql: TenantSql, id: string) =>
  sql.maybe(ContactBrief)`select id, name, phone_number, tags, notes, custom_fields from contacts where id = ${id}`
