import { createHash } from 'node:crypto'
import type { Database } from '../../platform/database.ts'
import { AppError, InvalidInput } from '../../platform/errors.ts'
import { claimKey, keepAnswer } from '../../platform/http/idempotency.ts'
import { refuseUnstorable } from '../../platform/http/json-body.ts'
import { meets, type Principal } from '../../platform/http/principal.ts'
import { compileValidator } from '../../platform/http/validation.ts'
import type { Log } from '../../platform/log.ts'
import type { Tool, WritingTool } from './tool.ts'
import { inputSchemaOf, outputSchemaOf } from './tool-schema.ts'

/** The caller, and the request id for the log. */
export interface Caller {
  principal: Principal
  requestId: string
}

/** A tool result in the protocol's form; a failure is a result too, so that the model reads it. */
type ToolResult = {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: true
}

export interface Toolbox {
  /** The tools that this credential may use. */
  describe(principal: Principal): object[]
  /** Undefined where there is no such tool. */
  call(caller: Caller, name: string, input: unknown): Promise<ToolResult | undefined>
}

type Input = Record<string, unknown>

export function createToolbox(tools: Tool[], { database, log }: { database: Database; log: Log }): Toolbox {
  const box = new Map(
    tools.map((tool) => {
      const check = compileValidator({ schema: tool.input, httpPart: 'body', method: 'POST', url: '/mcp' })
      return [tool.name, { tool, check, description: describe(tool) }]
    }),
  )

  async function run(tool: Tool, { principal }: Caller, input: Input): Promise<object> {
    const { scope, actor } = principal
    if (tool.reads) return tool.run(database.forTenant(scope), input)
    const { idempotency_key: key, ...given } = input
    if (typeof key !== 'string') return database.inTenant(scope, (tx) => tool.run(tx, given, actor))
    return runOnce(tool, principal, given, key)
  }

  /** The work and its result commit together: a repeated call gets the first result. */
  function runOnce(tool: WritingTool, { scope, actor }: Principal, input: Input, key: string): Promise<object> {
    const route = `MCP ${tool.name}`
    const hash = createHash('sha256').update(JSON.stringify(input)).digest()
    return database.inTenant(scope, async (tx) => {
      const earlier = await claimKey(tx, route, key, hash)
      if (earlier) return JSON.parse(earlier.body)
      const result = await tool.run({ ...tx, last: tx }, input, actor)
      await keepAnswer(tx, route, key, hash, { status: 200, body: JSON.stringify(result) })
      return result
    })
  }

  return {
    describe: (principal) =>
      [...box.values()].filter(({ tool }) => meets(principal, tool)).map(({ description }) => description),
    async call(caller, name, given = {}) {
      const found = box.get(name)
      if (!found) return undefined
      const { tool, check } = found
      if (!meets(caller.principal, tool))
        return failure(`This credential lacks the scope ${tool.scope}, which ${name} needs. Ask for one that has it.`)
      if (given === null || typeof given !== 'object' || Array.isArray(given))
        return failure('The arguments do not fit. They must be an object.')
      try {
        refuseUnstorable(given, 'body')
        const checked = check(given) as { value?: Input; error?: Error }
        if (checked.error) throw checked.error
        return success(await run(tool, caller, known(tool, checked.value as Input)))
      } catch (error) {
        if (error instanceof AppError && error.status !== 500) return failure(wordsFor(error, tool))
        log.error({ err: error, request_id: caller.requestId, tool: name }, 'mcp: tool failed')
        return failure(`Something went wrong on our side; the log knows it as request ${caller.requestId}. Try again.`)
      }
    },
  }
}

const describe = ({ name, title, description, input, output, reads }: Tool) => ({
  name,
  title,
  description,
  inputSchema: inputSchemaOf(input),
  outputSchema: outputSchemaOf(output),
  annotations: {
    title,
    readOnlyHint: reads,
    destructiveHint: false,
    // Without a key, a repeated call adds a second record.
    idempotentHint: reads,
    openWorldHint: false,
  },
})

/** Only the members of the tool's schema, in the schema's order. */
function known({ input }: Tool, given: Input): Input {
  const { properties } = input as unknown as { properties: object }
  return Object.fromEntries(
    Object.keys(properties)
      .filter((name) => given[name] !== undefined)
      .map((name) => [name, given[name]]),
  )
}

function success(result: object): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: { ...result } }
}

const failure = (text: string): ToolResult => ({ content: [{ type: 'text', text }], isError: true })

function wordsFor(error: AppError, { whenMissing }: Tool): string {
  if (error instanceof InvalidInput)
    return `The arguments do not fit. ${error.faults.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('; ')}`
  return error.status === 404 && whenMissing ? `${error.message}. ${whenMissing}` : error.message
}
