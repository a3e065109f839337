export const callStatuses = ['completed', 'in-progress', 'busy', 'failed', 'no-answer'] as const
export type CallStatus = (typeof callStatuses)[number]
export type EndStatus = Exclude<CallStatus, 'in-progress'>
