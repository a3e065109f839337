import type { api as types } from '@frontdesk/sdk'

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
