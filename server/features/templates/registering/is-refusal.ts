import type { ChatError } from '../../../providers/chat/contract.ts'

/** Refused in the platform's own words: a bare 404 may come from another server at its address. */
export const isRefusal = ({ verdict, code }: ChatError): boolean =>
  verdict === 'fail' && (/^\d+$/.test(code) || ['http_400', 'http_409', 'http_422'].includes(code))
