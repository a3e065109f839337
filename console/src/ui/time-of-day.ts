const format = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })

export const timeOfDay = (at: string | Date): string => format.format(new Date(at))
