import { type Reply, richReply } from '../sending/reply.ts'

const longest = { buttonTitle: 20, buttonBody: 1024, rowTitle: 24, rowDescription: 72 }
const mostButtons = 3

const lengthOf = (text: string) => [...text].length
const cut = (text: string, most: number) =>
  lengthOf(text) <= most
    ? text
    : `${[...text]
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`

/** A question with answers to tap: up to three short ones are buttons, more or longer ones a list of at most ten. */
export function offerChoices(body: string, choices: string[], label: string): Reply {
  const areButtons =
    choices.length <= mostButtons &&
    choices.every((choice) => lengthOf(choice) <= longest.buttonTitle) &&
    lengthOf(body) <= longest.buttonBody
  const items = choices.map((title, i) => ({ id: `choice-${i + 1}`, title }))
  return richReply({
    type: 'interactive',
    interactive: areButtons
      ? { type: 'button', body, buttons: items }
      : { type: 'list', body, label, sections: [{ rows: items.map(rowOf) }] },
  })
}

/** A choice that is too long for a title is whole in the description. */
const rowOf = ({ id, title }: { id: string; title: string }) =>
  lengthOf(title) <= longest.rowTitle
    ? { id, title }
    : { id, title: cut(title, longest.rowTitle), description: cut(title, longest.rowDescription) }
