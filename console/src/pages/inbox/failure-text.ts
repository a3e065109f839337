import type { api as types } from '@frontdesk/sdk'

/** What WhatsApp's error codes mean for the sender, and what to do. */
const words: Record<string, string> = {
  unknown: 'WhatsApp gave no clear answer. The message may have been sent. A delivery receipt will confirm it.',
  130429: 'Too many messages at once. Wait a moment, then send it again.',
  130472: 'WhatsApp withholds messages to this person as part of an experiment.',
  131008: 'The message is missing a required part.',
  131009: 'WhatsApp rejected a part of the message.',
  131021: 'This is your own number.',
  131026: 'This number cannot receive messages. It has no WhatsApp account or has not accepted the terms.',
  131030: 'Your WhatsApp account is in test mode and cannot message this number.',
  131031: 'WhatsApp has locked your business account. Check the reason with WhatsApp.',
  131042: 'WhatsApp reports a payment problem with your business account.',
  131047: 'The customer’s last message is older than 24 hours. Send a template instead.',
  131048: 'WhatsApp limits your number because people reported messages from it as spam.',
  131049: 'WhatsApp did not deliver it because this person has received too much marketing.',
  131050: 'This person has blocked marketing messages from your business.',
  131051: 'WhatsApp does not support this type of message.',
  131052: 'WhatsApp could not download the file.',
  131053: 'WhatsApp could not accept the file.',
  131056: 'Too many messages to this person in a short time. Wait a moment, then send it again.',
  190: 'The channel’s access token has expired. Renew it in Settings.',
}

export const failureText = ({ code, message }: types.MessageError): string =>
  words[code] ?? `${message}.`.replace('..', '.')
