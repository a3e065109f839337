import type { LlmTool } from '../../../providers/llm/contract.ts'
import type { Medium, OpenAgent } from '../answering/turn.ts'
import type { TransferTarget } from '../config/call-settings.ts'

/** What an agent can do to the conversation itself. Each ends the turn. */
export const actionTools = {
  end: 'end_call',
  choices: 'offer_choices',
  handoff: 'hand_off_to_person',
  transfer: 'transfer_call',
} as const

export const actionNames: string[] = Object.values(actionTools)

const action = (name: string, description: string): LlmTool => ({
  name,
  description,
  parameters: {
    type: 'object',
    properties: {
      reason: { type: 'string', description: 'Why, in one sentence, for colleagues' },
      say: { type: 'string', description: 'What to tell the other side before it happens, in their language' },
    },
    required: ['reason', 'say'],
  },
})

const offerChoices: LlmTool = {
  name: actionTools.choices,
  description:
    'Ask a question and show two to ten short answers that the other side can tap: when the possible answers are known. They can still write something else.',
  parameters: {
    type: 'object',
    properties: {
      say: { type: 'string', description: 'The question, in their language, without the answers' },
      choices: {
        type: 'array',
        items: { type: 'string', description: 'At most 20 characters, in their language' },
        minItems: 2,
        maxItems: 10,
      },
    },
    required: ['say', 'choices'],
  },
}

/** The actions that the medium and the agent's settings allow. A caller hears choices: the model says them itself. */
export function actionsFor({ config }: OpenAgent, medium: Medium): LlmTool[] {
  if (medium === 'draft') return []
  const handoff = action(
    actionTools.handoff,
    'Hand the conversation to a person: when the other side asks for one, is upset, or needs what you cannot do.',
  )
  if (medium !== 'voice') return [handoff, offerChoices]
  const end = action(actionTools.end, 'End the call: when the other side says goodbye or nothing is left to do.')
  const { transfer_number, transfer_targets } = config.call_settings
  if (transfer_number === null) return [handoff, end]
  return [handoff, end, transferTo(transfer_targets)]
}

function transferTo(targets: TransferTarget[]): LlmTool {
  const transfer = action(actionTools.transfer, 'Connect the caller to a person by phone, right now.')
  if (targets.length === 0) return transfer
  const meanings = targets.map(({ name, description }) => (description ? `${name}: ${description}` : name))
  const target = {
    type: 'string',
    enum: targets.map(({ name }) => name),
    description: `Whom to connect to. ${meanings.join('. ')}`,
  }
  const { properties, ...parameters } = transfer.parameters as { properties: object }
  return { ...transfer, parameters: { ...parameters, properties: { ...properties, target } } }
}
