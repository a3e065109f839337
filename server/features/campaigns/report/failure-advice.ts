/** What a failure means and what to do about it, for people who have never seen the platform's codes. */
interface Advice {
  meaning: string
  advice: string
}

const wait = 'Retry the failed ones later; if it happens often, lower the channel’s messages per second.'
const tokenAdvice = 'Create a new access token at the platform, save it with the channel, then resume the campaign.'
const fixTemplate = 'Compare the campaign’s variables with the template; correct them and send a new campaign.'
const checkAtPlatform =
  'It may have reached the person: a receipt of the platform settles it. Retry only if a second message does no harm.'

const texts: Record<string, [meaning: string, advice: string]> = {
  // Words of ours.
  missing_variable: [
    'The contact has no value for a variable of the message',
    'Fill the missing fields of these contacts, or give the variable a fixed text, then retry the failed ones.',
  ],
  opted_out: [
    'The contact has opted out of marketing',
    'No action needed. They receive campaigns again once they opt in.',
  ],
  no_address: [
    'The contact has no phone number or chat account that this template can be sent to, or was deleted',
    'Add a number to these contacts, and send them a new campaign.',
  ],
  blocked: ['The contact is blocked', 'No action needed. They receive campaigns again once you unblock them.'],
  merged: ['The contact was merged with another recipient', 'No action needed: the other delivery reaches the person.'],
  worker_lost: ['The process that was sending it stopped half-way', checkAtPlatform],
  fault: ['The attempt was interrupted', checkAtPlatform],
  timeout: ['The platform took too long to answer', checkAtPlatform],
  no_answer: ['The connection broke before the platform answered', checkAtPlatform],
  bad_answer: ['The platform’s answer could not be understood', checkAtPlatform],
  unknown: ['It is unknown whether it was sent', checkAtPlatform],
  unreachable: [
    'The platform could not be reached',
    'Check this installation’s connection to the internet, then retry the failed ones.',
  ],
  closing: ['The worker shut down before this was sent', 'Retry the failed ones.'],
  held: ['The channel was put on hold before this was sent', 'Retry the failed ones.'],
  bad_id: [
    'The channel’s phone number id is invalid',
    'Correct the channel’s phone number id, then retry the failed ones.',
  ],
  bad_token: ['The channel’s access token cannot be used', tokenAdvice],
  foreign_host: [
    'The platform pointed to an address that is not its own',
    'Check the setting of the platform’s address, then retry the failed ones.',
  ],
  too_large: ['A file was too large for the platform', 'Use a smaller file for the header, and send a new campaign.'],
  // The platform's codes.
  0: ['The channel’s access token is no longer valid', tokenAdvice],
  190: ['The channel’s access token has expired', tokenAdvice],
  3: ['The access token lacks a permission', tokenAdvice],
  10: ['The access token lacks a permission', tokenAdvice],
  131005: ['The access token lacks a permission', tokenAdvice],
  1: ['The platform had a fault and does not say whether it sent the message', checkAtPlatform],
  2: ['The platform was down and does not say whether it sent the message', checkAtPlatform],
  4: ['The platform’s limit of calls was reached', wait],
  17: ['The platform’s limit of calls was reached', wait],
  613: ['The platform’s limit of calls was reached', wait],
  80007: ['The business account’s rate limit was reached', wait],
  80008: ['The business account’s rate limit was reached', wait],
  33: [
    'The platform does not know the sending number or account',
    'Check the channel’s ids at the platform, then retry the failed ones.',
  ],
  100: ['The platform rejected a value', fixTemplate],
  368: [
    'The business account is restricted for breaking a policy',
    'Open the account’s quality page at the platform and appeal; resume when the restriction is lifted.',
  ],
  131031: [
    'The business account is locked',
    'Open the account at the platform to see why and to appeal; resume when it is unlocked.',
  ],
  130429: ['Messages were sent faster than the number’s limit', wait],
  130472: [
    'The platform left the person out of marketing for an experiment of its own',
    'Nothing: do not send it again. The platform decides who is left out.',
  ],
  130497: [
    'The business may not send to the person’s country',
    'Leave these contacts out, or ask the platform which countries the account may reach.',
  ],
  131000: ['The platform had a fault and does not say whether it sent the message', checkAtPlatform],
  131016: ['The platform was unavailable and does not say whether it sent the message', checkAtPlatform],
  131057: ['The business account was in maintenance', 'Retry the failed ones in a few minutes.'],
  133004: ['The platform was unavailable and does not say whether it sent the message', checkAtPlatform],
  131008: ['The message lacked something that the platform requires', fixTemplate],
  131009: ['The message had a value that the platform does not accept', fixTemplate],
  131021: ['The number is the sender’s own', 'Remove the channel’s own number from the contacts.'],
  131051: ['The platform does not know this type of message', 'Use another template, and send a new campaign.'],
  131026: [
    'The number cannot get the message: it is not on the chat app, the app is too old, or its terms were not accepted',
    'Check these numbers, and reach the people another way; sending again will not help.',
  ],
  131030: [
    'The number is not on the allow list of the platform’s test number',
    'Add it at the platform, or send from a real number.',
  ],
  131042: [
    'The business account has a payment problem',
    'Put the payment method right at the platform, then resume the campaign.',
  ],
  131045: ['The sending number is not registered', 'Register the number at the platform, then resume the campaign.'],
  133010: ['The sending number is not registered', 'Register the number at the platform, then resume the campaign.'],
  133016: [
    'The sending number was registered too often',
    'Wait 72 hours, register it again, then resume the campaign.',
  ],
  131047: [
    'More than 24 hours have passed since the person last wrote',
    'Send an approved template: only those may open a conversation.',
  ],
  131048: [
    'Too many people blocked or reported the number',
    'Stop marketing from this number for a day, send to people who asked for it, then resume slowly.',
  ],
  131049: [
    'The platform withheld it: the person gets much marketing already',
    'Wait at least 24 hours before you try these contacts again, and send less often.',
  ],
  131050: [
    'The person has stopped marketing from this business',
    'Nothing: they were opted out. Do not send marketing to them.',
  ],
  131052: [
    'The file of the message could not be fetched',
    'Check that the header’s address is publicly reachable, then retry.',
  ],
  131053: [
    'The file of the message could not be processed',
    'Use a file of a supported type and size for the header, then retry the failed ones.',
  ],
  131056: ['Too many messages went to this person in a short time', 'Retry the failed ones in an hour.'],
  131062: [
    'The person hides the phone number, and this message cannot be sent to a chat account',
    'Reach the person another way, or use another template.',
  ],
  132000: ['The number of values differs from the template’s variables', fixTemplate],
  132001: [
    'The template does not exist in this language, or is not approved',
    'Synchronize the templates, choose one that is approved, and send a new campaign.',
  ],
  132005: [
    'The text is too long once the variables are filled',
    'Shorten the values of the variables, and send a new campaign.',
  ],
  132007: ['The template’s content breaks a policy of the platform', 'Change the wording and have it reviewed again.'],
  132012: ['A value does not have the form that the template needs', fixTemplate],
  132018: ['A value holds what the platform forbids, such as a line break', fixTemplate],
  132015: [
    'The platform paused the template because people disliked it',
    'Improve the template, or wait until the platform resumes it, then resume the campaign.',
  ],
  132016: ['The platform has disabled the template for good', 'Write a new template, and send a new campaign.'],
  132068: ['The template’s flow is blocked', 'Repair the flow at the platform, then retry the failed ones.'],
  132069: ['The template’s flow is throttled', 'Retry the failed ones in an hour.'],
  135000: [
    'The platform refused the message without a reason',
    'Check the template and its values; if they are right, ask the platform.',
  ],
  137000: [
    'The person’s identity key has changed, as with a new phone',
    'Make sure that the number still belongs to the person, then retry.',
  ],
}

/** 200 to 299 are one family: permissions that the token lacks. */
const isPermission = (code: string) => /^2\d\d$/.test(code)
/** An HTTP status without a platform code: below 500 it refused the message, from 500 on the outcome is unknown. */
const isRefusal = (code: string) => /^http_[34]\d\d$/.test(code)

/** For a code that is not in the list, the platform's own message is all there is. */
export function adviceOn(code: string): Advice {
  const known = Object.hasOwn(texts, code) ? texts[code] : undefined
  if (known) return { meaning: known[0], advice: known[1] }
  if (isPermission(code)) return { meaning: 'The access token lacks a permission', advice: tokenAdvice }
  if (isRefusal(code))
    return { meaning: 'The platform refused the message', advice: 'Check the channel and the template, then retry.' }
  if (code.startsWith('http_')) return { meaning: 'The platform answered with a fault', advice: checkAtPlatform }
  return {
    meaning: 'The platform refused the message',
    advice: 'Look the code up in the platform’s documentation, or ask its support.',
  }
}
