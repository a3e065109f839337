import { parseArgs } from 'node:util'
import { readSettings, type Settings, SettingsError } from '../config.ts'

const help = `Usage: frontdesk <command> [options]

  start                 run the service (settings: docs/configuration.md)
  migrate               bring the database up to date and stop
  seed                  fill an organization's test mode with demo contacts and tasks
      --organization ID   (default: the oldest)
  org create            make an organization
      --name NAME --owner EMAIL
  key create            make an API key and show it once
      --organization ID   (default: the oldest)
      --name NAME         (default: "Made on the command line")
      --mode test|live    (default: test)
      --scopes a,b        (default: full_access)
      --expires DATETIME  (default: never)
  channel release       end the reservation of a chat number whose channel was deleted
      --phone-number-id ID  the number's id at the platform
  sign-in-link          print a one-time link that signs a person in
      --email EMAIL       (default: the oldest owner)
  secrets rotate        seal stored secrets with SECRET_KEY that SECRET_KEY_PREVIOUS sealed, while the service runs
  simulate              run a pretended chat platform and carrier as a program of its own
      --port PORT         (default: 3001)
      --host ADDRESS      (default: 127.0.0.1; others need --token)
      --token TOKEN       who else may turn its knobs
      --speed NUMBER      divides its waits (default: 1)
  simulate message TEXT write to a running Frontdesk as a customer, in test mode
      --from NUMBER
      --to NUMBER         the channel (default: the oldest)
      --name NAME --type TYPE
      --key KEY           a test key (default: the variable FRONTDESK_KEY)
      --url URL           (default: http://127.0.0.1:3000)
  simulate call         let an agent call somebody in test mode, and print what is said as it is said
      --to NUMBER         (default: +12025550110, a person who talks)
      --agent ID          (default: the newest active one, or one made for it)
      --say "LINE | LINE" what the person says
      --from NUMBER       the channel (default: the oldest)
      --key KEY --url URL as above
  doctor                say what is wrong here, if anything, and how to mend it
  help                  this page
`

/** What a person did wrong on the command line, or what this machine lacks: a sentence, not a stack. */
class Complaint extends Error {}

export async function main(args: string[]): Promise<void> {
  try {
    loadEnvFile()
    await run(args)
  } catch (error) {
    if (error instanceof SettingsError)
      console.error(
        `These settings need a look (docs/configuration.md lists them all):\n${error.problems.map((line) => `  - ${line}`).join('\n')}`,
      )
    else if (process.env.LOG_LEVEL === 'debug') console.error(error)
    else console.error(`frontdesk: ${(error as Error).message}`)
    process.exitCode = error instanceof Complaint ? 2 : 1
  }
  // Nothing may keep a finished command alive.
  process.exit()
}

/** Settings may also stand in a file `.env` in the current folder; the environment wins. */
function loadEnvFile(): void {
  try {
    process.loadEnvFile('.env')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

async function run([command, ...rest]: string[]): Promise<void> {
  if (command && (rest.includes('--help') || rest.includes('-h'))) {
    console.log(helpFor(command, rest))
    return
  }
  switch (command) {
    case 'start': {
      options(rest, {})
      // What is wrong with the settings is said at once, not when everything is loaded.
      const wanted = settings()
      const { start } = await import('../main.ts')
      return start(wanted)
    }
    case 'doctor': {
      options(rest, {})
      const { doctor } = await import('./doctor.ts')
      process.exitCode = (await doctor(process.env)) ? 0 : 1
      return
    }
    case 'simulate': {
      const { simulate, simulateMessage } = await import('./simulate.ts')
      if (rest[0] === 'call') {
        const known = {
          to: 'string',
          from: 'string',
          agent: 'string',
          say: 'string',
          key: 'string',
          url: 'string',
        } as const
        const { simulateCall } = await import('./simulate-call.ts')
        return simulateCall(options(rest.slice(1), known))
      }
      if (rest[0] !== 'message')
        return simulate(options(rest, { port: 'string', host: 'string', token: 'string', speed: 'string' }))
      const [text, ...more] = rest[1]?.startsWith('--') ? [undefined, ...rest.slice(1)] : rest.slice(1)
      const known = {
        from: 'string',
        to: 'string',
        name: 'string',
        type: 'string',
        key: 'string',
        url: 'string',
      } as const
      return simulateMessage(text, options(more as string[], known))
    }
    case undefined:
    case 'help':
    case '--help':
    case '-h':
      console.log(help)
      return
    default:
      return operate(command, rest)
  }
}

/** Each command loads what it needs, and no more. */
async function operate(command: string, rest: string[]): Promise<void> {
  const operator = await import('./operator.ts')
  switch (command) {
    case 'migrate':
      options(rest, {})
      return operator.migrateCommand(settings())
    case 'seed':
      return operator.seedCommand(settings(), options(rest, { organization: 'string' }))
    case 'org':
      return operator.createOrganizationCommand(
        settings(),
        options(subcommand(rest, 'org', 'create'), { name: 'string', owner: 'string' }),
      )
    case 'key':
      return operator.createKeyCommand(
        settings(),
        options(subcommand(rest, 'key', 'create'), {
          organization: 'string',
          name: 'string',
          mode: 'string',
          scopes: 'string',
          expires: 'string',
        }),
      )
    case 'channel':
      return operator.releaseNumberCommand(
        settings(),
        options(subcommand(rest, 'channel', 'release'), { 'phone-number-id': 'string' }),
      )
    case 'secrets':
      options(subcommand(rest, 'secrets', 'rotate'), {})
      return operator.rotateSecretsCommand(settings())
    case 'sign-in-link':
      return operator.signInLinkCommand(settings(), options(rest, { email: 'string' }))
    default:
      throw new Complaint(`there is no command "${command}"\n\n${help}`)
  }
}

/** The part of the help that is about this command, or about its subcommand where one is named. */
function helpFor(command: string, [subcommand = '']: string[]): string {
  const entries = help.split(/^(?= {2}\S)/m).slice(1)
  const words = (entry: string) => entry.trim().split(/ +/)
  const ofCommand = entries.filter((entry) => words(entry)[0] === command)
  const ofSubcommand = ofCommand.filter((entry) => words(entry)[1] === subcommand)
  const found = ofSubcommand.length > 0 ? ofSubcommand : ofCommand
  if (found.length === 0) throw new Complaint(`there is no command "${command}"\n\n${help}`)
  return `Usage: frontdesk <command> [options]\n\n${found.join('')}`
}

const settings = (): Settings => readSettings(process.env)

function subcommand([given, ...rest]: string[], command: string, expected: string): string[] {
  if (given !== expected) throw new Complaint(`did you mean "frontdesk ${command} ${expected}"?\n\n${help}`)
  return rest
}

function options<const T extends Record<string, 'string'>>(args: string[], known: T): Partial<Record<keyof T, string>> {
  try {
    const { values } = parseArgs({
      args,
      options: Object.fromEntries(Object.keys(known).map((name) => [name, { type: 'string' as const }])),
      strict: true,
    })
    return values as Partial<Record<keyof T, string>>
  } catch (error) {
    throw new Complaint(`${(error as Error).message}\n\n${help}`)
  }
}
