import { languageOf } from '../../../platform/language-of.ts'
import type { Llm } from '../../../providers/llm/contract.ts'
import { createScriptedLlm, type Line } from '../../../providers/llm/scripted.ts'
import type { SpeakingLlm } from '../../../providers/speech-to-speech/contract.ts'
import { speakOrWrite } from '../../../providers/speech-to-speech/speak-or-write.ts'
import type { Passages, Source } from '../../knowledge/retrieval/retrieve-passages.ts'
import type { Fallback, Rule } from '../config/rule-settings.ts'
import { wantsPerson } from '../language/asking-for-person.ts'
import { type Lines, linesIn } from '../language/lines.ts'
import { smallTalkIn } from '../language/small-talk.ts'
import { extractAnswer } from '../passages/extract-answer.ts'
import { actionTools } from '../tools/actions.ts'
import { fillVariables } from './fill-variables.ts'
import type { TurnInput } from './turn.ts'

interface Chosen {
  llm: SpeakingLlm
  /** Whether it cites passages by marks in its answer. Otherwise `sources` is what it says. */
  cites: boolean
  sources: Source[]
  /** What it says where the knowledge has no answer. */
  refusal?: string
}

/** A caller who asks for a person gets one, whatever a model would make of it. Drafts are written for a person. */
const isHandedOff = ({ heard, medium }: TurnInput): boolean => wantsPerson(heard) && medium !== 'draft'

/** Whether a hosted model answers: not rules, and not the script of test mode. */
export const callsHostedModel = (turn: TurnInput): boolean =>
  turn.scope.livemode && turn.agent.type !== 'static' && !isHandedOff(turn)

/**
 * Chooses who answers: the agent's rules, the hosted model, or in test mode a script, because test mode calls no hosted
 * model.
 */
export function chooseModel(hosted: Llm, turn: TurnInput, passages: Passages): Chosen {
  const { agent, heard, medium } = turn
  // On the phone, a hand-off is best done by a transfer. A call announces either with the agent's phrase for it.
  const say = medium === 'voice' ? '' : linesIn(agent.config.language).handoff
  const handoff: Line = { say, use: actionFor('transfer', turn) }
  if (agent.type === 'static')
    return { llm: followRules(turn, wantsPerson(heard) ? handoff : undefined), cites: false, sources: [] }
  if (isHandedOff(turn))
    return { llm: createScriptedLlm({ rules: [], usesTools: false, otherwise: handoff }), cites: false, sources: [] }
  if (!callsHostedModel(turn)) return pretend(turn, passages)
  return { llm: turn.speaker ? speakOrWrite(turn.speaker, hosted) : hosted, cites: true, sources: [] }
}

function followRules(turn: TurnInput, instead: Line | undefined): Llm {
  const { rules, fallback } = turn.agent.config.call_settings
  const given = typeof fallback === 'string' ? { say: fallback } : fallback
  const otherwise = given ?? { say: linesIn(turn.agent.config.language).fallback }
  const spoken = ({ say, choices, then }: Rule | Fallback): Line => {
    const filled = choices?.map((choice) => fillVariables(choice, turn))
    const words = fillVariables(say, turn)
    if (!filled) return { say: words, use: actionFor(then, turn) }
    if (turn.medium === 'voice') return { say: `${words} ${choicesInWords(filled, turn)}` }
    return { say: words, use: actionTools.choices, with: { choices: filled } }
  }
  return createScriptedLlm({
    rules: rules.map((rule) => ({ when: rule.when, ...spoken(rule) })),
    usesTools: false,
    otherwise: instead ?? spoken(otherwise),
  })
}

/** "Monday, Tuesday, or Friday?" in the agent's language. */
function choicesInWords(choices: string[], { agent }: TurnInput): string {
  const language = /^[a-z]{2}\b/i.exec(agent.config.language)?.[0] ?? 'en'
  return `${new Intl.ListFormat(language, { type: 'disjunction' }).format(choices)}?`
}

/** A transfer without a number is a hand-off, and in chat there is no call to end. */
function actionFor(then: Rule['then'], { medium, agent }: TurnInput): string | undefined {
  if (then === undefined || (then === 'end' && medium !== 'voice')) return undefined
  const isPossible = medium === 'voice' && agent.config.call_settings.transfer_number !== null
  return actionTools[then === 'transfer' && !isPossible ? 'handoff' : then]
}

const answerTo = { thanks: 'welcome', parting: 'closing', assent: 'acknowledgement' } as const

/** Test mode: what the documents say, verbatim and with the source; otherwise that they say nothing. */
function pretend(turn: TurnInput, { sources }: Passages): Chosen {
  const { agent, heard, medium } = turn
  const smallTalk = smallTalkIn(heard)
  const lines = linesIn(languageOf(heard, smallTalk?.language ?? agent.config.language))
  const closing = { when: ['goodbye', 'bye', 'that is all', 'thats all'], say: 'Goodbye.', use: actionTools.end }
  const extracted = smallTalk ? undefined : extractAnswer(heard, sources)
  const refusal =
    medium === 'draft' ? 'Thank you for your message. I am looking into it and will get back to you.' : lines.notFound
  const say =
    smallTalk?.kind === 'greeting'
      ? fillVariables(agent.config.welcome_message ?? lines.greeting, turn)
      : smallTalk
        ? lines[answerTo[smallTalk.kind]]
        : extracted
          ? quoted(extracted.text, extracted.source, medium, lines)
          : refusal
  const llm = createScriptedLlm({
    rules: medium === 'voice' ? [closing] : [],
    usesTools: medium !== 'draft',
    otherwise: { say },
  })
  return { llm, cites: false, sources: extracted ? [extracted.source] : [], refusal }
}

function quoted(text: string, { file_name, page }: Source, medium: TurnInput['medium'], lines: Lines): string {
  // Members see the sources of a draft beside it.
  if (medium === 'draft') return text
  const where = page === null ? file_name : `${file_name}, ${lines.page} ${page}`
  return medium === 'voice' ? `${lines.accordingTo} ${where}: ${text}` : `${text} (${lines.source} ${where})`
}
