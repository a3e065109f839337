import Type from 'typebox'
import { Id, OneOf } from '../../../platform/schemas.ts'
import { Contact } from '../schema.ts'

export const Duplicate = Type.Object(
  {
    contact: Contact,
    reasons: Type.Array(OneOf(['email', 'identity', 'name', 'number'] as const), {
      description:
        'What both contacts have in common: an email address in a custom field such as `email`; a number or chat account, now or in the past; a name of two or more words; a number that differs only in the digit for mobile numbers',
      examples: [['email', 'name']],
    }),
  },
  { title: 'ContactDuplicate' },
)

export const Duplicates = Type.Object(
  { duplicates: Type.Array(Duplicate, { description: 'At most ten, the likeliest first' }) },
  { title: 'ContactDuplicates' },
)

export const DismissedDuplicate = Type.Object(
  { contact_id: { ...Id, description: 'The contact that is another person' } },
  { title: 'DismissedDuplicate' },
)
