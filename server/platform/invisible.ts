/**
 * Without characters that a person does not see and a model does: format characters, blank letters, and variation
 * selectors that vary nothing. Joiners stay between letters of Persian and Hindi and in emoji; next to ASCII they only
 * break words up.
 */
export const withoutInvisible = (text: string): string =>
  text
    .replace(
      /(?![\u200c\u200d])\p{Cf}|[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]|[\ufe00-\ufe0e]|[\u{e0100}-\u{e01ef}]/gu,
      '',
    )
    .replace(/(?<=[\0-\x7f])(?:\u200c|\u200d|\ufe0f)+|(?:\u200c|\u200d)+(?=[\0-\x7f])/g, '')
