import type { LoopOptions } from '../../../platform/loop.ts'

export const onFault: LoopOptions = { fault: 'sending campaigns met a fault and goes on', afterFailureMs: 500 }
