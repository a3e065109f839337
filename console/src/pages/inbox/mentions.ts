import { type api as types, ValidationError } from '@frontdesk/sdk'

/** The part of a name that is being typed after an @, up to the cursor. */
export const typedMention = (text: string): string | undefined => /(?:^|\s)@([\p{L}\p{N}._-]{0,30})$/u.exec(text)?.[1]

const nameOf = ({ name, email }: Pick<types.Member, 'name' | 'email'>) => name || email

export const mentionOf = (member: Pick<types.Member, 'name' | 'email'>): string => `@${nameOf(member)}`

/** Members whose name begins like this, in any of its words. */
export const matching = (members: types.Member[], typed: string): types.Member[] =>
  members.filter((member) =>
    nameOf(member)
      .toLowerCase()
      .split(/\s+/)
      .some((word) => word.startsWith(typed.toLowerCase())),
  )

/** The members that a text mentions. */
export const mentionedIn = (text: string, members: types.Member[]): string[] =>
  members.filter((member) => text.includes(mentionOf(member))).map(({ id }) => id)

/** The service refuses mentions of members whose access does not cover the conversation: it names them by id. */
export function mentionFault(error: unknown, mentionedIds: string[], members: types.Member[]): unknown {
  if (!(error instanceof ValidationError)) return error
  const refused = error.faults.flatMap(({ loc: [, field, index] }) =>
    field === 'mentioned_ids' ? [mentionedIds[Number(index)]] : [],
  )
  const names = members.filter(({ id }) => refused.includes(id)).map(nameOf)
  return names.length === 0
    ? error
    : new Error(`${names.join(', ')} cannot see this conversation. Remove the mention, or have an admin give access.`)
}
