import type { TObject, TSchema } from 'typebox'
import { sections } from '../config.ts'
import { isSecret } from '../settings/setting.ts'

type Setting = {
  type?: string
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  pattern?: string
  anyOf?: { const: string }[]
  items?: Setting
  description?: string
}

/** docs/configuration.md: every setting, generated from the objects that validate them. */
export function configurationPage(): string {
  return `# Configuration

Settings are environment variables. The service checks all of them at start and names each wrong one with the accepted values. You need
none of them to try the service.

A secret or an address with a password can be in a file, as Docker, Kubernetes and systemd provide it: set \`NAME_FILE\` to the path of the
file in place of \`NAME\`. White space around the value, such as a final newline, is removed. The file is read once, at start.

\`npm run docs\` generates this page from \`server/settings/\`.
${sections.map(tableOf).join('')}`
}

function tableOf(section: TObject): string {
  const { title } = section as { title?: string }
  const rows = Object.entries<TSchema>(section.properties).map(([name, schema]) => {
    const setting = schema as Setting
    const names = isSecret(schema) ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``
    return `| ${names} | ${defaultOf(setting)} | ${boundsOf(setting)} | ${setting.description ?? ''} |`
  })
  return `
## ${title}

| Setting | Default | Accepts | Description |
|---|---|---|---|
${rows.join('\n')}
`
}

function defaultOf({ default: value }: Setting): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return 'none'
  return `\`${value}\``
}

function boundsOf(setting: Setting): string {
  const { type, minimum, maximum, minLength, pattern, anyOf, items } = setting
  if (anyOf) return anyOf.map((option) => `\`${option.const}\``).join(', ')
  if (type === 'boolean') return '`true` or `false`'
  if (type === 'array') return `a list, separated by commas; each ${boundsOf(items ?? {})}`
  if (type === 'integer') {
    if (minimum === undefined) return 'a whole number'
    return maximum === undefined ? `${minimum} or more` : `${minimum} to ${maximum}`
  }
  if (type === 'number') return minimum === undefined ? 'a number' : `a number, ${minimum} or more`
  // A vertical bar would end the table cell, also inside code.
  if (pattern) return `matches \`${pattern.replaceAll('|', '\\|')}\``
  return minLength === undefined ? 'text' : `text of ${minLength} characters or more`
}
