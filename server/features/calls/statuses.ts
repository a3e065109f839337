export const callStatuses = ['completed', 'in-progress', 'busy', 'failed', 'no-answer'] as const
type CallStatus = (typeof callStatuses)[number]
export type EndStatus = Exclude<CallStatus, 'in-progress'>
