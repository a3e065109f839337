import Type from 'typebox'
import { enqueueRegistration, sweepTemplatesJob } from '../features/templates/job-kinds.ts'
import type { Template } from '../features/templates/schema.ts'
import { newId } from '../platform/ids.ts'
import { type CallAs, ok, type TestApp } from './app.ts'
import { connectOwner } from './connect-owner.ts'
import { until } from './process.ts'
import type { TemplatePlatform } from './template-platform.ts'

const StoredEvent = Type.Object({ type: Type.String() })
const Waiting = Type.Object({ n: Type.Integer() })
const Listed = Type.Object({ listed: Type.Boolean() })
let numbers = 0

/**
 * The first retries follow within seconds, which a busy machine may spend between two looks at a template. Here they
 * follow after an hour, or when the test calls `hurry`.
 */
async function delayRetries(app: TestApp): Promise<void> {
  const owner = await connectOwner(app)
  await owner.query(`
    create function delay_retry() returns trigger language plpgsql as $$ begin
      if new.next_attempt_at between now() + interval '500 milliseconds' and now() + interval '8 seconds' then
        new.next_attempt_at = now() + interval '1 hour';
      end if;
      return new;
    end $$;
    create trigger delay_retry before update on templates for each row execute function delay_retry()`)
}

/** Helpers for template tests, in live mode, against a platform of the test's own. */
export function templatesOf(app: TestApp, platform: TemplatePlatform) {
  const system = app.database.forSystem()
  let delayed: Promise<void> | undefined

  return {
    /** Organizations whose only channel is connected to a business account of their own. */
    async organization({ token = platform.token }: { token?: string } = {}) {
      delayed ??= delayRetries(app)
      await delayed
      const { id, call, key } = await app.organization({ mode: 'live' })
      const account = String(700_100_200_300_000 + ++numbers)
      const scope = { organizationId: id, livemode: true }
      const channel = await connect(call, { account, token })
      // Connecting the channel lists the account's templates. Wait for it, so that it does not interfere with the test.
      await until(async () => {
        const state = await system.maybe(Listed)`
          select listed_at > 'epoch' or sync_error is not null as listed from template_accounts
          where organization_id = ${id} and business_account_id = ${account}`
        return state?.listed === true
      })
      return { id, call, key, account, channel, scope, ...verbsOf(call, { account, channel, scope }) }
    },
    sweep: () => app.database.inSystem((tx) => tx.enqueue(sweepTemplatesJob, {})),
    /** Waits until no job is waiting or running that could still call the platform. */
    idle: () =>
      until(async () => {
        const { n } = await system.one(Waiting)`
          select count(*)::integer as n from pgboss.job
          where name like 'templates.%' and (state = 'active' or state in ('created', 'retry') and start_after <= now())`
        return n === 0
      }),
  }

  function verbsOf(
    call: CallAs,
    own: { account: string; channel: string; scope: { organizationId: string; livemode: boolean } },
  ) {
    const tryCreate = (members: object = {}) =>
      call('POST', 'templates', {
        channel_id: own.channel,
        name: `template_${++numbers}`,
        language: 'en_US',
        category: 'UTILITY',
        components: [{ type: 'BODY', text: 'Hello {{1}}, your parcel is ready.' }],
        ...members,
      })
    const sees = async (id: string, condition: (template: Template) => boolean): Promise<Template> => {
      let template: Template | undefined
      await until(async () => {
        const answer = ok(await call('GET', `templates/${id}`))
        template = answer
        return condition(answer)
      })
      return template as Template
    }
    return {
      tryCreate,
      async create(members: object = {}): Promise<Template> {
        return ok(await tryCreate(members), 201)
      },
      /** Waits until the template meets the condition. */
      sees,
      /** Waits until the platform has accepted or refused the template. */
      settled: (id: string) =>
        sees(id, ({ registration }) => registration === 'registered' || registration === 'refused'),
      /** Retries its registration now, whatever its backoff and the hold of its account. */
      async hurry(id: string) {
        await system.run`update template_accounts set held_until = null where business_account_id = ${own.account}`
        await system.run`update templates set next_attempt_at = now() where id = ${id} and next_attempt_at is not null`
        await app.database.inTenant(own.scope, (tx) => enqueueRegistration(tx, own.scope, id))
      },
      /** Creates another channel, on the same business account unless another is named. */
      connect: ({ account = own.account, token = platform.token }: { account?: string; token?: string } = {}) =>
        connect(call, { account, token }),
      /** How many requests for templates of this business account the platform has received. */
      requested: () => platform.requests('create').filter(({ account }) => account === own.account).length,
      eventTypes: async (id: string) => {
        const events = await app.database.forTenant(own.scope).all(StoredEvent)`
          select type from events where data -> 'object' ->> 'id' = ${id} order by id`
        return events.map(({ type }) => type)
      },
    }
  }
}

async function connect(call: CallAs, { account, token }: { account: string; token: string }): Promise<string> {
  const answer = ok(
    await call('POST', 'channels', {
      phone_number: `+1415555${String(++numbers).padStart(4, '0')}`,
      chat: {
        phone_number_id: newId(),
        business_account_id: account,
        access_token: token,
        app_secret: 'app-secret-of-the-tests',
        verify_token: 'verify',
      },
    }),
    201,
  )
  return answer.id
}
