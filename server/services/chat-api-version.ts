import Type from 'typebox'
import type { Database, SystemSql } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { type ApiVersionFacts, describeVersion } from '../providers/chat/graph-api-versions.ts'

/** Which version of the chat platform's API is requested, which one is served, and when that one ends. */
interface ChatApiVersion {
  /** Called with the platform's header after every live request; writes only when the version changed. */
  note(served: string): void
  describe(): Promise<ApiVersionFacts>
  /** Logs the version that live channels use, if there are any: as a warning if it ends. */
  announce(): Promise<void>
}

const fact = 'chat api version'
const Served = Type.Object({ value: Type.Object({ asked: Type.String(), served: Type.String() }) })
const Exists = Type.Object({ exists: Type.Boolean() })

export function createChatApiVersion({
  database,
  asked,
  log,
  now = () => new Date(),
}: {
  database: Database
  asked: string
  log: Log
  now?: (() => Date) | undefined
}): ChatApiVersion {
  let noted: string | undefined
  const system = () => database.forSystem()
  const describe = async () => describeVersion(asked, await findServed(system(), asked), now())
  return {
    note(served) {
      if (served === noted) return
      noted = served
      // Workers store it and api processes show it: both read the stored value.
      system().run`
        insert into installation (name, value) values (${fact}, ${{ asked, served }})
        on conflict (name) do update set value = excluded.value`.catch((error) => {
        noted = undefined
        log.warn({ err: error, served }, 'chat platform: the served API version could not be stored')
      })
    },
    describe,
    async announce() {
      if (!(await hasLiveChat(system()))) return
      const { warning, ...facts } = await describe()
      if (warning) log.warn({ ...facts, warning }, 'chat platform: API version')
      else log.info(facts, 'chat platform: API version')
    },
  }
}

/** Null if another version was requested when the platform last answered. */
async function findServed(system: SystemSql, asked: string): Promise<string | null> {
  const stored = await system.maybe(Served)`select value from installation where name = ${fact}`
  return stored?.value.asked === asked ? stored.value.served : null
}

const hasLiveChat = async (system: SystemSql): Promise<boolean> =>
  (
    await system.one(Exists)`
      select exists (select from channels where livemode and deleted_at is null and chat is not null)`
  ).exists
