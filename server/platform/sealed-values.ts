import Type from 'typebox'
import type { Database } from './database.ts'
import { sealedColumn } from './reseal.ts'
import type { SecretBox } from './secrets.ts'

const contextOf = ({ name }: { name: string }) => `value ${name}`

export const sealedValues = sealedColumn({
  table: 'sealed_values',
  column: 'sealed_value',
  key: { name: 'text' },
  context: contextOf,
})

const Row = Type.Object({ sealed_value: Type.Unsafe<Buffer>({}) })

/**
 * A secret of the installation. The first node that asks for it creates it, all others read it. Undefined if it was
 * sealed with another SECRET_KEY.
 */
export async function openSealedValue(
  database: Database,
  secrets: Pick<SecretBox, 'seal' | 'open'>,
  name: string,
  create: () => Promise<string>,
): Promise<string | undefined> {
  const system = database.forSystem()
  const read = () => system.maybe(Row)`select sealed_value from sealed_values where name = ${name}`
  let row = await read()
  if (!row) {
    const sealed = secrets.seal(await create(), contextOf({ name }))
    await system.run`insert into sealed_values (name, sealed_value) values (${name}, ${sealed}) on conflict do nothing`
    row = await read()
  }
  try {
    return secrets.open(row?.sealed_value as Buffer, contextOf({ name }))
  } catch {
    return undefined
  }
}
