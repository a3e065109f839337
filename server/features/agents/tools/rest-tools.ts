import { OutboundError, type OutboundHttp } from '../../../platform/outbound-fetch.ts'
import type { Tool } from '../config/tool-settings.ts'
import { failed, presentable, type RunnableTool, type ToolOutcome } from './contract.ts'
import { fillAddress, inText, UnusableArgument } from './rest-address.ts'

const longestAnswerBytes = 1024 * 1024

export const restTools = (http: OutboundHttp, tools: Tool[]): RunnableTool[] =>
  tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    parameters: tool.parameters,
    sayWhileRunning: tool.say_while_running,
    run: (given, signal) => call(http, tool, given, signal),
  }))

/** One request, never retried: a model that wants it again says so. */
async function call(
  http: OutboundHttp,
  { method, url, headers, timeout_ms: timeLimitMs }: Tool,
  given: Record<string, unknown>,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  try {
    const { address, left } = fillAddress(url, given)
    const inQuery = method === 'GET' || method === 'DELETE'
    if (inQuery) for (const [name, value] of Object.entries(left)) address.searchParams.append(name, inText(value))
    const answer = await http.fetch({
      url: address,
      method,
      headers: {
        accept: 'application/json, text/*;q=0.9',
        'user-agent': 'Frontdesk',
        ...(!inQuery && { 'content-type': 'application/json' }),
        ...lowerCase(headers),
      },
      ...(!inQuery && { body: JSON.stringify(left) }),
      timeLimitMs,
      maxBytes: longestAnswerBytes,
      guarded: true,
      signal,
    })
    return presentable(outcomeOf(answer.status, answer.headers, answer.body), headers)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof OutboundError) return failed(explanations[error.fault])
    if (error instanceof UnusableArgument) return failed(error.message)
    throw error
  }
}

/** One header per name: the customer's value wins over ours. */
const lowerCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

function outcomeOf(status: number, headers: Record<string, string>, body: Buffer): ToolOutcome {
  const isText = /^(text\/|application\/([\w.+-]*\+)?(json|xml)\b)|^$/.test(headers['content-type'] ?? '')
  const text = isText ? body.toString('utf8').trim() : `[${headers['content-type']}, ${body.length} bytes]`
  if (status >= 200 && status < 300) return { result: text || 'Done.', isError: false }
  if (status >= 300 && status < 400)
    return failed(`The server answered with a redirect (${status}), which is not followed`)
  return failed(`The server answered ${status}${text ? `: ${text}` : ''}`)
}

/** For the model, which has no use for hosts and addresses. */
const explanations: Record<OutboundError['fault'], string> = {
  forbidden: 'The tool’s address may not be called',
  unreachable: 'The tool’s server cannot be reached',
  timeout: 'The tool’s server did not answer in time; whether it acted is not known',
  broken: 'The tool’s server broke off; whether it acted is not known',
  too_large: 'The tool’s answer is too long to be read',
  cancelled: 'The tool was stopped',
}
