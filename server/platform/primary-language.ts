/** `pt` of `pt-BR`, in lower case. */
export const primaryLanguage = (language: string): string => (language.split(/[-_]/)[0] as string).toLowerCase()
