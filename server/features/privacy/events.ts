import { defineEvent } from '../../platform/events.ts'
import { ErasedContact } from './schema.ts'

/** Everything about the contact is gone; the event names its id alone. */
export const contactErased = defineEvent('contact.erased', 'contacts:read', ErasedContact)

export const privacyEvents = [contactErased]
