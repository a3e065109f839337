import type { RetentionRule } from '../../../platform/personal-data.ts'
import { deleteOldQuestions } from './queries.ts'

export const gapRetention: RetentionRule[] = [
  { kind: 'messages', table: 'gap_questions', expire: deleteOldQuestions('chats') },
  { kind: 'transcripts', table: 'gap_questions', expire: deleteOldQuestions('calls') },
]
