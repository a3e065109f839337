import { join } from 'node:path'
import { lintFromString, loadConfig } from '@redocly/openapi-core'

const root = join(import.meta.dirname, '../..')

/**
 * The findings of redocly.yaml's rules for the document, one per line. Warnings count, except those listed in the
 * ignore file.
 */
export async function lintOpenApi(document: object): Promise<string[]> {
  const config = await loadConfig({ configPath: join(root, 'redocly.yaml') })
  const source = JSON.stringify(document)
  const problems = await lintFromString({ source, absoluteRef: join(root, 'docs/openapi.json'), config })
  return problems
    .filter(({ ignored }) => !ignored)
    .map(
      ({ severity, ruleId, message, location }) => `${severity} ${ruleId}: ${message} (${location[0]?.pointer ?? ''})`,
    )
}
