import { parseArgs } from 'node:util'
import type { Settings } from '../config.ts'

const help = `Usage: frontdesk <command> [options]

  start                 Start the service (settings: docs/configuration.md)
  migrate               Apply pending database migrations and exit
      --plan              Print what would be applied and which tables it locks, and change nothing
  backup                Write the database and its files to one file, while the service runs
      --to FILE|-         File to write, or - for standard output (default: a new file in this folder)
      --passphrase-file FILE  Encrypt with the passphrase in this file
      --with-secret-key   Include SECRET_KEY, without which stored secrets cannot be decrypted
  restore FILE          Restore a backup into an empty database
      --into TARGET       DATABASE_URL or DATA_DIR to restore into (default: the settings)
      --passphrase-file FILE  Passphrase of an encrypted backup
      --ignore-secret-key Restore although SECRET_KEY cannot decrypt the stored secrets
      --erasures FILE     Erase the contacts in this list of frontdesk erasures again
  erasures              Print the list of erased contacts, for a later restore
      --to FILE           File to write (default: standard output)
  seed                  Add demo contacts and tasks to an organization's test mode
      --organization ID   Organization (default: the oldest)
  org create            Create an organization
      --name NAME         Name of the organization
      --owner EMAIL       Email address of its owner
  key create            Create an API key and print it once
      --organization ID   Organization (default: the oldest)
      --name NAME         Name of the key (default: "Created with the CLI")
      --mode test|live    Mode of the key (default: test)
      --scopes a,b        Comma-separated scopes (default: full_access)
      --expires DATETIME  Expiry, such as 2027-01-31T12:00:00Z (default: never)
  operator add          Make a person an operator of this installation
      --email EMAIL       Email address of the person
  operator remove       Remove an operator
      --email EMAIL       Email address of the person
  operator list         Print the operators
  channel release       Release the chat number of a deleted channel, so that any organization can connect it
      --phone-number-id ID  Phone number ID from WhatsApp
  sign-in-link          Print a one-time sign-in link
      --email EMAIL       Email address of the person (default: the oldest owner)
      --reset-password    Make a link for choosing a new password
  second-factor remove  Remove a person's lost second factor, so that the password alone signs them in
      --email EMAIL       Email address of the person
  secrets rotate        Re-encrypt stored secrets from SECRET_KEY_PREVIOUS to SECRET_KEY while the service runs
  simulate              Run the chat platform and carrier simulator as a separate process
      --port PORT         Port to listen on (default: 3001)
      --host ADDRESS      Address to listen on (default: 127.0.0.1; any other requires --token)
      --token TOKEN       Token required to control the simulator
      --speed NUMBER      Divides simulated delays; 0 removes them (default: 1)
  simulate message TEXT Send a message to a running Frontdesk as a customer, in test mode
      --from NUMBER       Phone number of the customer
      --to NUMBER         Phone number of the channel (default: the oldest channel)
      --name NAME         Name of the customer
      --type TYPE         Message type
      --key KEY           Test API key (default: $FRONTDESK_KEY)
      --url URL           URL of Frontdesk (default: http://127.0.0.1:3000)
  simulate call         Place a test call with an agent and print the transcript as it happens
      --to NUMBER         Number to call (default: +12025550110, a simulated person who talks)
      --agent ID          Agent (default: the newest active one; created if there is none)
      --say "LINE | LINE" What the simulated person says
      --from NUMBER       Phone number of the channel (default: the oldest channel)
      --key KEY           Test API key (default: $FRONTDESK_KEY)
      --url URL           URL of Frontdesk (default: http://127.0.0.1:3000)
  doctor                Check the installation and print how to fix each problem
  help                  Print this help
`

/** A mistake on the command line: printed as a sentence without a stack, exit code 2. */
class UsageError extends Error {}

export async function main(args: string[]): Promise<void> {
  try {
    loadEnvFile()
    await run(args)
  } catch (error) {
    if (!(error instanceof UsageError) && error instanceof (await readConfig()).SettingsError)
      console.error(
        `Invalid settings (see docs/configuration.md):\n${error.problems.map((line) => `  - ${line}`).join('\n')}`,
      )
    else if (process.env.LOG_LEVEL === 'debug') console.error(error)
    else console.error(`frontdesk: ${(error as Error).message}`)
    process.exitCode = error instanceof UsageError ? 2 : 1
  }
  // Open handles must not keep a finished command alive.
  process.exit()
}

/** Settings may also be in a file `.env` in the current folder; environment variables take precedence. */
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
      // Validated first, so that invalid settings are reported before the service is loaded.
      const wanted = await settings()
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
    case 'backup': {
      const given = options(rest, { to: 'string', 'passphrase-file': 'string', 'with-secret-key': 'boolean' })
      const { backupCommand } = await import('./backup.ts')
      return backupCommand(await settings(), given)
    }
    case 'restore': {
      const [file, ...more] = rest
      if (!file || file.startsWith('--')) throw new UsageError(`restore needs the file of a backup\n\n${help}`)
      const { into, ...given } = options(more, {
        into: 'string',
        'passphrase-file': 'string',
        'ignore-secret-key': 'boolean',
        erasures: 'string',
      })
      const { restoreCommand } = await import('./restore.ts')
      return restoreCommand(await settingsFor(into), file, given)
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

/** Imported on demand, so that other commands start without loading the service. */
async function operate(command: string, rest: string[]): Promise<void> {
  const operator = await import('./operator.ts')
  switch (command) {
    case 'migrate':
      return operator.migrateCommand(await settings(), options(rest, { plan: 'boolean' }))
    case 'erasures':
      return operator.erasuresCommand(await settings(), options(rest, { to: 'string' }))
    case 'seed':
      return operator.seedCommand(await settings(), options(rest, { organization: 'string' }))
    case 'org':
      return operator.createOrganizationCommand(
        await settings(),
        options(subcommand(rest, 'org', 'create'), { name: 'string', owner: 'string' }),
      )
    case 'key':
      return operator.createKeyCommand(
        await settings(),
        options(subcommand(rest, 'key', 'create'), {
          organization: 'string',
          name: 'string',
          mode: 'string',
          scopes: 'string',
          expires: 'string',
        }),
      )
    case 'operator': {
      const [verb = '', ...more] = rest
      if (verb !== 'add' && verb !== 'remove' && verb !== 'list') subcommand(rest, 'operator', 'add')
      return operator.operatorCommand(await settings(), verb as 'add', options(more, { email: 'string' }))
    }
    case 'channel':
      return operator.releaseNumberCommand(
        await settings(),
        options(subcommand(rest, 'channel', 'release'), { 'phone-number-id': 'string' }),
      )
    case 'second-factor':
      return operator.removeSecondFactorsCommand(
        await settings(),
        options(subcommand(rest, 'second-factor', 'remove'), { email: 'string' }),
      )
    case 'secrets':
      options(subcommand(rest, 'secrets', 'rotate'), {})
      return operator.rotateSecretsCommand(await settings())
    case 'sign-in-link':
      return operator.signInLinkCommand(
        await settings(),
        options(rest, { email: 'string', 'reset-password': 'boolean' }),
      )
    default:
      throw new UsageError(`unknown command "${command}"\n\n${help}`)
  }
}

/** The help of this command, or of its subcommand where one is given. */
function helpFor(command: string, [subcommand = '']: string[]): string {
  const entries = help.split(/^(?= {2}\S)/m).slice(1)
  const words = (entry: string) => entry.trim().split(/ +/)
  const ofCommand = entries.filter((entry) => words(entry)[0] === command)
  const ofSubcommand = ofCommand.filter((entry) => words(entry)[1] === subcommand)
  const found = ofSubcommand.length > 0 ? ofSubcommand : ofCommand
  if (found.length === 0) throw new UsageError(`unknown command "${command}"\n\n${help}`)
  return `Usage: frontdesk <command> [options]\n\n${found.join('')}`
}

/** Imported on demand: help takes a seventh of the time without it. */
const readConfig = () => import('../config.ts')

const settings = async (): Promise<Settings> => (await readConfig()).readSettings(process.env)

/** The settings with another database: a URL, or a folder for the embedded one. */
async function settingsFor(into: string | undefined): Promise<Settings> {
  if (into === undefined) return settings()
  const isUrl = /^postgres(ql)?:\/\//.test(into)
  const env = { ...process.env }
  // A file that names the present database must not decide where to restore to.
  for (const name of [...ofPresentDatabase, ...(isUrl ? [] : ['TENANT_DATABASE_URL'])])
    for (const variable of [name, `${name}_FILE`]) delete env[variable]
  const { readSettings } = await readConfig()
  const wanted = readSettings({ ...env, ...(isUrl ? { DATABASE_URL: into } : { DATA_DIR: into }) })
  const tenant = wanted.TENANT_DATABASE_URL
  return isUrl && tenant ? { ...wanted, TENANT_DATABASE_URL: withLoginOf(tenant, into) } : wanted
}

/** The database at an address, with the user and password of another one. */
function withLoginOf(login: string, address: string): string {
  const { username, password } = new URL(login)
  const url = new URL(address)
  if (url.host) return Object.assign(url, { username, password }).href
  // The address of a socket has no place for them.
  url.searchParams.set('user', decodeURIComponent(username))
  url.searchParams.set('password', decodeURIComponent(password))
  return url.href
}

const ofPresentDatabase = ['DATABASE_URL', 'DATABASE_POOLER_URL', 'REPLICA_DATABASE_URL']

function subcommand([given, ...rest]: string[], command: string, expected: string): string[] {
  if (given !== expected)
    throw new UsageError(
      `unknown command "frontdesk ${[command, given].filter(Boolean).join(' ')}"; did you mean "frontdesk ${command} ${expected}"?\n\n${help}`,
    )
  return rest
}

type Options<T> = { [Name in keyof T]?: T[Name] extends 'boolean' ? boolean : string }

function options<const T extends Record<string, 'string' | 'boolean'>>(args: string[], known: T): Options<T> {
  try {
    const { values } = parseArgs({
      args,
      options: Object.fromEntries(Object.entries(known).map(([name, type]) => [name, { type }])),
      strict: true,
    })
    return values as Options<T>
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${help}`)
  }
}
