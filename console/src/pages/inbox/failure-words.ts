import type { api as types } from '@frontdesk/sdk'

/** What the platform's codes mean for the person who wrote the message, and what can be done. */
const words: Record<string, string> = {
  unknown: 'WhatsApp gave no clear answer. The message may have been sent; a receipt will tell.',
  130429: 'Too many messages were sent at once. Wait a moment, then send it again.',
  130472: 'The platform holds back messages to this person as part of an experiment of its own.',
  131008: 'Something was missing in the message.',
  131009: 'The platform did not accept a part of the message.',
  131021: 'This number is the same as your own.',
  131026: 'This number cannot receive messages: it has no account, or has not agreed to the terms.',
  131030: 'This number is not among those that your account may write to while it is being tried out.',
  131031: 'The platform has locked your business account. Look there for the reason.',
  131042: 'There is a problem with the payment for your business account at the platform.',
  131047: 'The customer last wrote more than 24 hours ago: only a template gets through.',
  131048: 'The platform limits your number because people have marked its messages as spam.',
  131049: 'The platform held it back: this person has received enough marketing for now.',
  131050: 'This person has stopped marketing messages from your business.',
  131051: 'The platform does not know this kind of message.',
  131052: 'The platform could not fetch the file.',
  131053: 'The platform could not take the file.',
  131056: 'Too many messages to this person in a short time. Wait a moment, then send it again.',
  190: 'The access token of this channel has expired. Renew it in the settings.',
}

export const failureWords = ({ code, message }: types.MessageError): string =>
  words[code] ?? `${message}.`.replace('..', '.')
