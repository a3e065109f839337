import type { api as types } from '@frontdesk/sdk'
import { useCallback, useEffect, useRef } from 'react'
import { api } from '../../data/api.ts'
import { complain, type Ticket } from './tickets.ts'

/** Sends messages as the customer, in test mode. */
export function useCustomer({ contact, chat_phone_number_id }: Ticket) {
  const contactRef = useRef({ contact, channel: chat_phone_number_id })
  useEffect(() => {
    contactRef.current = { contact, channel: chat_phone_number_id }
  })
  return useCallback(async (message: types.SimulatedMessage): Promise<boolean> => {
    const { contact, channel } = contactRef.current
    try {
      const who = contact.phone_number
        ? { from: contact.phone_number }
        : { user_id: (await api.contacts.get(contact.id)).whatsapp_user_id ?? '' }
      await api.simulator.simulateMessage({
        ...who,
        ...(contact.name && { name: contact.name }),
        ...(channel && { channel_id: channel }),
        ...message,
      })
      return true
    } catch (error) {
      complain('The simulator rejected the message', error)
      return false
    }
  }, [])
}
