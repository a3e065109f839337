/** Without characters that a person does not see and a model does. Joiners stay: Persian, Hindi and emoji need them. */
export const withoutInvisible = (text: string): string => text.replace(/(?![\u200c\u200d])\p{Cf}/gu, '')
