import { createConfig, lintFromString } from '@redocly/openapi-core'

/** What Redocly's recommended rules find wrong with the document, a line each; warnings count too. */
export async function lintOpenApi(document: object): Promise<string[]> {
  // A literal segment is never taken for an id: ids are UUIDs, and the router prefers the literal.
  const config = await createConfig({ extends: ['recommended'], rules: { 'no-ambiguous-paths': 'off' } })
  const source = JSON.stringify(document)
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  return problems.map(
    ({ severity, ruleId, message, location }) => `${severity} ${ruleId}: ${message} (${location[0]?.pointer ?? ''})`,
  )
}
