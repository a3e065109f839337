import Type, { type TObject, type TSchema } from 'typebox'
import { AgentConfig, type GroupName, groupNames, groups } from './config-schema.ts'
import { VoiceSettings } from './provider-settings.ts'

/** The request form: absent or null means the default on create; on update absent keeps and null resets. */
type Loose<T> = { [M in keyof T]?: T[M] | null }
export type AgentConfigInput = Omit<Loose<AgentConfig>, GroupName> & {
  [Name in GroupName]?: Loose<AgentConfig[Name]> | null
}

function loose(title: string, schema: TObject, options: { withDefaults: boolean }): TSchema {
  const member = (given: TSchema) => {
    const { default: standard, ...rest } = given as TSchema & { default?: unknown; type?: unknown; anyOf?: unknown }
    const type = rest.anyOf ? {} : { type: [...new Set([rest.type, 'null'].flat())] }
    const words = 'enum' in rest ? { enum: [...(rest.enum as unknown[]), null] } : {}
    return { ...rest, ...type, ...words, ...(options.withDefaults && standard !== undefined && { default: standard }) }
  }
  const properties = Object.fromEntries(
    Object.entries(schema.properties).map(([name, given]) => [name, member(given as TSchema)]),
  )
  return { type: 'object', title, properties } as unknown as TSchema
}

export function configInput(title: string, options: { withDefaults: boolean }) {
  const looseGroups = Object.fromEntries(
    groupNames.map((name) => [name, loose(`${title}${titleOf(name)}`, groups[name], options)]),
  )
  const nested = Type.Object({ ...AgentConfig.properties, voice_settings: VoiceSettings, ...looseGroups })
  return Type.Unsafe<AgentConfigInput>(loose(title, nested, options))
}

const titleOf = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
