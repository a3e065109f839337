import Type, { type Static } from 'typebox'
import { FreeObject, Id, Instant, Nullable, OneOf } from '../../platform/schemas.ts'

export const stages = ['new', 'engaged', 'qualified', 'customer', 'lost'] as const
const Stage = OneOf(stages, { description: 'Lifecycle stage' })

/** The dashboard's name for the stage; accepted wherever a stage is given. */
export const StageInput = OneOf([...stages, 'customers'] as const, { description: 'Lifecycle stage' })

/** Limits of a contact's members; imports use the same. */
export const limits = { nameCharacters: 255, tags: 100, tagCharacters: 100, notesCharacters: 65_536 }

const name = Type.String({ maxLength: limits.nameCharacters, examples: ['Ada Lovelace'] })
const firstName = Nullable(
  Type.String({
    maxLength: limits.nameCharacters,
    description: 'The name for the contact in messages; without it, the first word of `name`',
    examples: ['Ada'],
  }),
)
const phoneNumber = Type.String({ maxLength: 64, description: 'Normalized to E.164', examples: ['+14155550100'] })
const tag = Type.String({ minLength: 1, maxLength: limits.tagCharacters })
const tags = Type.Array(tag, { maxItems: limits.tags, examples: [['vip', 'newsletter']] })
const notes = Type.String({ maxLength: limits.notesCharacters, examples: ['Prefers mornings'] })
const customFields = FreeObject({
  description: 'Free key-value map; replaced as a whole',
  examples: [{ plan: 'gold' }],
})
const timeZone = Nullable(
  Type.String({
    maxLength: 64,
    description: 'IANA name; used for the sending times of campaigns. Null: derived from the phone number',
    examples: ['Europe/Berlin'],
  }),
)
export const sourceTypes = ['ad', 'post'] as const
const aiHandling = Type.Boolean({ description: 'Whether the AI agent answers this contact' })

export const Contact = Type.Object(
  {
    id: Id,
    organization_id: Id,
    phone_number: Type.String({
      description: 'E.164; empty for contacts known only by their chat account',
      examples: ['+14155550100'],
    }),
    name: Type.String({ examples: ['Ada Lovelace'] }),
    first_name: firstName,
    tags: Type.Array(Type.String(), { examples: [['vip', 'newsletter']] }),
    notes: Type.String({ examples: ['Prefers mornings'] }),
    custom_fields: FreeObject({ examples: [{ plan: 'gold' }] }),
    stage: Stage,
    ai_handling: aiHandling,
    last_activity_at: Nullable(Instant),
    opted_out_at: Nullable(Instant),
    blocked_at: Nullable({ ...Instant, description: 'Since when the contact is blocked', examples: [null] }),
    whatsapp_user_id: Nullable(Type.String()),
    username: Nullable(Type.String({ description: 'The person’s WhatsApp username', examples: [null] })),
    time_zone: timeZone,
    source_type: Nullable(
      OneOf(sourceTypes, {
        description:
          'Where the contact came from: the first ad or post on Facebook or Instagram whose click started a chat',
      }),
    ),
    source_id: Nullable(Type.String({ description: 'Id of that ad or post on the platform', examples: [null] })),
    source_headline: Nullable(Type.String({ description: 'Its headline at that time', examples: [null] })),
    source_url: Nullable(Type.String({ description: 'Its address', examples: [null] })),
    source_at: Nullable({ ...Instant, description: 'When the contact wrote the message', examples: [null] }),
    livemode: Type.Boolean(),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Contact' },
)
export type Contact = Static<typeof Contact>

/** The ad or post that a contact came from. */
export type ContactSource = Pick<Contact, 'source_type' | 'source_id' | 'source_headline' | 'source_url' | 'source_at'>

const Identity = Type.Object(
  {
    kind: OneOf(['phone', 'whatsapp_user_id', 'username'] as const),
    value: Type.String({ examples: ['+14155550100'] }),
    primary: Type.Boolean({ description: 'Whether messages are sent to it' }),
    since: { ...Instant, description: 'Since when the contact has it, by the time of WhatsApp or of the entry' },
    until: Nullable({ ...Instant, description: 'When the contact gave it up; null for current identities' }),
  },
  { title: 'ContactIdentity' },
)

export const handledBy = OneOf(['ai', 'person', 'no_one'] as const, {
  description:
    'Who answers the contact now. `no_one` if the AI should, but no active agent answers the channel of its conversation, because of its business hours for example',
})

/** Events leave out who answers: it changes without an event. Lists have it on request: it costs a look at the conversations. */
export const ListedContact = Type.Object(
  { ...Contact.properties, handled_by: Type.Optional(handledBy) },
  { title: 'ListedContact' },
)
export type ListedContact = Static<typeof ListedContact>

/** A contact by itself; lists and events leave the identities out. */
export const ContactWithIdentities = Type.Object(
  {
    ...Contact.properties,
    handled_by: handledBy,
    identities: Type.Array(Identity, {
      description: 'Numbers, chat accounts and usernames, past and present; current ones first',
    }),
  },
  { title: 'ContactWithIdentities' },
)
export type ContactWithIdentities = Static<typeof ContactWithIdentities>

export const MergedContact = Type.Object(
  {
    ...Contact.properties,
    merged_contact_id: { ...Id, description: 'The contact that no longer exists' },
  },
  { title: 'MergedContact' },
)

export const Merge = Type.Object(
  {
    contact_id: { ...Id, description: 'The other contact. It is merged into the one in the path and ceases to exist' },
  },
  { title: 'ContactMerge' },
)

export const OptedOutContact = Type.Object(
  {
    ...Contact.properties,
    opt_out: Type.Object(
      {
        source: OneOf(['message', 'platform', 'user'] as const, {
          description: 'Whether the contact asked for it, the platform reported it, or a member entered it',
        }),
        reason: Type.String({ description: 'The contact’s words, or the reason that was given', examples: ['STOP'] }),
      },
      { title: 'OptOut' },
    ),
  },
  { title: 'OptedOutContact' },
)

export const NewContact = Type.Object(
  {
    phone_number: phoneNumber,
    name: Type.Optional(name),
    first_name: Type.Optional(firstName),
    tags: Type.Optional(tags),
    notes: Type.Optional(notes),
    custom_fields: Type.Optional(customFields),
    stage: Type.Optional(StageInput),
    ai_handling: Type.Optional(aiHandling),
    time_zone: Type.Optional(timeZone),
  },
  { title: 'NewContact' },
)
export type NewContact = Static<typeof NewContact>

/** Without the phone number, which another contact may have. */
const exampleChanges = {
  name: 'Ada Lovelace',
  tags: ['vip', 'newsletter'],
  notes: 'Prefers mornings',
  custom_fields: { plan: 'gold' },
}

/** PUT takes what the contract lists; PATCH also takes the first name, the stage and the handling. */
export const ContactReplacement = Type.Object(
  {
    name: Type.Optional(name),
    phone_number: Type.Optional(phoneNumber),
    tags: Type.Optional(tags),
    notes: Type.Optional(notes),
    custom_fields: Type.Optional(customFields),
  },
  { title: 'ContactReplacement', examples: [exampleChanges] },
)
export const ContactChanges = Type.Object(
  {
    ...ContactReplacement.properties,
    first_name: Type.Optional(firstName),
    stage: Type.Optional(StageInput),
    ai_handling: Type.Optional(aiHandling),
    time_zone: Type.Optional(timeZone),
    opted_out: Type.Optional(
      Type.Boolean({ description: 'Whether the contact has opted out of marketing', examples: [false] }),
    ),
    blocked: Type.Optional(
      Type.Boolean({
        description: 'Whether the contact is blocked: messages from it are dropped, and none are sent to it',
        examples: [false],
      }),
    ),
  },
  { title: 'ContactChanges', examples: [{ ...exampleChanges, stage: 'engaged', ai_handling: true }] },
)
export type ContactChanges = Static<typeof ContactChanges>

export const OnConflict = Type.Object({
  on_conflict: Type.Optional(
    OneOf(['return', 'update'] as const, {
      description: 'What to do if the phone number is taken: return the existing contact, or update it',
    }),
  ),
})

export const ContactPath = Type.Object({ contact_id: Id })

export const Handoff = Type.Object(
  {
    to: OneOf(['human', 'ai'] as const),
    reason: Type.Optional(Type.String({ maxLength: 2000, examples: ['Asked for a person'] })),
  },
  { title: 'Handoff' },
)

/** The contact of a conversation. */
export const ContactBrief = Type.Object(
  {
    id: Id,
    name: Type.String({ examples: ['Ada Lovelace'] }),
    phone_number: Type.String({ examples: ['+14155550100'] }),
    tags: Type.Array(Type.String(), { examples: [['vip']] }),
    notes: Type.String({ examples: ['Prefers mornings'] }),
    custom_fields: FreeObject({ examples: [{ plan: 'gold' }] }),
  },
  { title: 'ContactBrief' },
)
export type ContactBrief = Static<typeof ContactBrief>
