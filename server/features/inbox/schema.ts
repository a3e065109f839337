import Type, { type Static } from 'typebox'
import { IdOf, OneOf } from '../../platform/schemas.ts'

export const messageTypes = ['text', 'image', 'document', 'audio', 'video'] as const
export const MessageType = OneOf(messageTypes)
export type MessageType = Static<typeof MessageType>
export const MessageDirection = OneOf(['inbound', 'outbound'] as const)
export const MessageStatus = OneOf(['sent', 'delivered', 'read', 'failed'] as const)
export const ActorType = OneOf(['user', 'ai', 'system'] as const, {
  description: 'Sender; `system` is the contact, and of an away message the service',
})

export const TicketPath = Type.Object({ inbox_id: IdOf('inbox ticket') })

export const pageMembers = {
  total: Type.Integer({ description: 'Total number of records', examples: [1] }),
  page: Type.Integer({ description: 'Page number, starting at 1', examples: [1] }),
  size: Type.Integer({ description: 'Number of records returned', examples: [1] }),
}
