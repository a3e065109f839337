import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../platform/http/pagination.ts'
import { Id, Instant, Nullable, OneOf } from '../../platform/schemas.ts'

const notificationKinds = ['assigned', 'message', 'unassigned', 'mention', 'handoff'] as const
const NotificationKind = OneOf(notificationKinds, {
  description:
    '`assigned`: a ticket was assigned to you. `message`: a message in your ticket. `unassigned`: a message in a ticket that no one is assigned to. `mention`: a note mentions you. `handoff`: the AI handed the contact off to a person',
})
export type NotificationKind = Static<typeof NotificationKind>

export const Notification = Type.Object(
  {
    id: Id,
    organization_id: Id,
    kind: NotificationKind,
    ticket_id: Id,
    count: Type.Integer({ description: 'How many times it happened while unread', examples: [1] }),
    contact_name: Type.String({ description: 'Name or number of the contact', examples: ['Ada Lovelace'] }),
    preview: Type.String({
      description:
        'The first 120 characters of the ticket’s last message, or the kind of a file without text. For a mention: of the note',
      examples: ['Is it open today?'],
    }),
    read_at: Nullable({ ...Instant, examples: [null] }),
    livemode: Type.Boolean(),
    created_at: Instant,
  },
  { title: 'Notification' },
)
export type Notification = Static<typeof Notification>

export const NotificationFilter = Type.Object({
  ...CursorQuery,
  unread: Type.Optional(
    Type.Boolean({ description: 'Only those that you have not read, or only those that you have' }),
  ),
})
export type NotificationFilter = Static<typeof NotificationFilter>

const unreadCount = Type.Integer({ description: 'Number of unread notifications', examples: [1] })

export const NotificationPage = Type.Object(
  { ...CursorPage(Notification).properties, unread_count: unreadCount },
  { title: 'NotificationPage' },
)

export const NotificationPath = Type.Object({ notification_id: Id })

export const ReadNotifications = Type.Object(
  { ticket_id: Type.Optional({ ...Id, description: 'Only those about this ticket', fillIn: 'the id of a ticket' }) },
  { title: 'ReadNotifications', examples: [{}] },
)
export const UnreadCount = Type.Object({ unread_count: unreadCount }, { title: 'UnreadCount' })

export const ShowOptions = Type.Object({
  in_use: Type.Boolean({
    default: true,
    description:
      'Whether the member is using the app now. An app that is open in the background sends `false`: it alerts only a member who receives no push notifications',
  }),
})

export const Shown = Type.Object(
  {
    alert: Type.Boolean({
      description: 'Whether to alert the member: true for the first device that asks, outside of the quiet hours',
    }),
  },
  { title: 'NotificationShown' },
)

const TimeOfDay = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', examples: ['22:00'] })

const preferences = {
  mine: Type.Boolean({ description: 'Tickets that are assigned to you' }),
  mentions: Type.Boolean({ description: 'Notes that mention you' }),
  unassigned: Type.Boolean({ description: 'Tickets that wait and that no one is assigned to' }),
  email_digest: OneOf(['off', 'hourly', 'daily'] as const, {
    description: 'How often unread notifications of live mode are emailed to you',
  }),
  quiet_hours: Type.Unsafe<{ from: string; until: string } | null>({
    ...Type.Object({ from: TimeOfDay, until: TimeOfDay }, { additionalProperties: false }),
    type: ['object', 'null'],
    description: 'When you get no sound, push notification or email. Null: none',
    examples: [{ from: '22:00', until: '07:00' }],
  }),
  time_zone: Nullable(
    Type.String({
      maxLength: 64,
      description: 'IANA name, of the quiet hours. Null: the organization’s',
      examples: ['Europe/Berlin'],
    }),
  ),
}

export const Preferences = Type.Object(
  {
    ...preferences,
    email_available: Type.Boolean({ description: 'Whether the installation sends email', examples: [true] }),
    push_public_key: Nullable(
      Type.String({
        description: 'The `applicationServerKey` for a browser’s push subscription',
        examples: ['BNbxGYNMhEIi9zrneh7mqV4oUanjLUK3m-mYZBc62frMKrEoMk88r3Lk596T0ck9xlT-aok0fO1KXBLV4-XqxYM'],
      }),
    ),
  },
  { title: 'NotificationPreferences' },
)
export type Preferences = Omit<Static<typeof Preferences>, 'email_available' | 'push_public_key'>

export const PreferenceChanges = Type.Partial(Type.Object(preferences), {
  title: 'NotificationPreferenceChanges',
  examples: [{ unassigned: false, quiet_hours: { from: '22:00', until: '07:00' } }],
})
export type PreferenceChanges = Static<typeof PreferenceChanges>

const base64url = '^[A-Za-z0-9_-]+={0,2}$'

export const NewPushSubscription = Type.Object(
  {
    endpoint: Type.String({ format: 'uri', maxLength: 2048, examples: ['https://push.example.com/send/abc'] }),
    keys: Type.Object({
      p256dh: Type.String({
        pattern: base64url,
        maxLength: 100,
        examples: ['BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'],
      }),
      auth: Type.String({ pattern: base64url, maxLength: 40, examples: ['BTBZMqHH6r4Tts7J_aSIgg'] }),
    }),
  },
  { title: 'NewPushSubscription', description: 'As `PushSubscription.toJSON()` of a browser returns it' },
)
export type NewPushSubscription = Static<typeof NewPushSubscription>

export const PushSubscription = Type.Object({ id: Id, created_at: Instant }, { title: 'PushSubscription' })
export const PushSubscriptionPath = Type.Object({ subscription_id: Id })
