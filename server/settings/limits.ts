import Type from 'typebox'

export const LimitSettings = Type.Object(
  {
    RATE_LIMIT_PER_MINUTE: Type.Integer({
      minimum: 1,
      default: 6000,
      description: 'Requests per minute and credential.',
    }),
    RATE_LIMIT_LOGINS_PER_MINUTE: Type.Integer({
      minimum: 1,
      default: 10,
      description:
        'Sign-in attempts per minute for each IP address, and for each device that signed in before. If one account gets more attempts than this, attempts from other devices wait up to ten seconds each.',
    }),
    RATE_LIMIT_CAMPAIGNS_PER_MINUTE: Type.Integer({
      minimum: 1,
      default: 60,
      description: 'Campaigns that a credential may create per minute.',
    }),
    RATE_LIMIT_UPLOADS_PER_MINUTE: Type.Integer({
      minimum: 1,
      default: 60,
      description: 'Documents that a credential may upload to the knowledge base per minute.',
    }),
    MAX_IMPORT_BYTES: Type.Integer({
      minimum: 1024,
      default: 50 * 1024 * 1024,
      description: 'Largest CSV file that a contact import accepts, in bytes.',
    }),
    MAX_UPLOAD_BYTES: Type.Integer({
      minimum: 1024,
      default: 25 * 1024 * 1024,
      description: 'Largest document that the knowledge base accepts, in bytes.',
    }),
  },
  { title: 'Limits' },
)
