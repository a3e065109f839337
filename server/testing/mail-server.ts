import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after } from 'node:test'
import { until } from './process.ts'

interface ReceivedMail {
  from: string
  to: string[]
  /** Headers and body, with soft line breaks removed. */
  content: string
}

interface MailServer {
  /** The settings of a service that sends its mail here. */
  settings: { SMTP_URL: string; MAIL_FROM: string; PUBLIC_URL: string }
  received: ReceivedMail[]
  /** The first word of every line besides those of messages. */
  commands: string[]
  /** Connections that ended after the message without an answer. */
  drops: number
  /** `refuse`: rejects the recipient for good. `later`: rejects it for now. `drop`: hangs up after the message. */
  behavior: 'accept' | 'refuse' | 'later' | 'drop'
  /** The newest mail to this address that is not among the first `after` ones. */
  mailTo(address: string, after?: number): Promise<ReceivedMail>
}

const recipientReplies: Record<string, string> = { refuse: '550 no such mailbox', later: '451 try again later' }

/** An SMTP server that keeps what it receives; closed at the end of the test file. */
export async function mailServer(): Promise<MailServer> {
  const state: MailServer = {
    settings: { SMTP_URL: '', MAIL_FROM: 'Frontdesk <desk@example.com>', PUBLIC_URL: 'http://localhost' },
    received: [],
    commands: [],
    drops: 0,
    behavior: 'accept',
    async mailTo(address, after = 0) {
      const found = () => state.received.slice(after).findLast(({ to }) => to.includes(address))
      await until(async () => found() !== undefined)
      return found() as ReceivedMail
    },
  }
  const server = createServer((socket) => {
    const say = (line: string) => socket.write(`${line}\r\n`)
    let mail: ReceivedMail = { from: '', to: [], content: '' }
    let buffered = ''
    let isMessage = false
    const addressIn = (line: string) => /<(.*?)>/.exec(line)?.[1] ?? ''
    const replies: Record<string, (line: string) => void> = {
      EHLO: () => say('250 mail.example.com'),
      MAIL: (line) => {
        mail = { from: addressIn(line), to: [], content: '' }
        say('250 ok')
      },
      RCPT: (line) => {
        mail.to.push(addressIn(line))
        say(recipientReplies[state.behavior] ?? '250 ok')
      },
      DATA: () => {
        isMessage = true
        say('354 go ahead')
      },
      QUIT: () => socket.end('221 bye\r\n'),
    }
    const onLine = (line: string) => {
      if (!isMessage) {
        state.commands.push(line.split(' ', 1)[0] as string)
        return (replies[line.slice(0, 4).toUpperCase()] ?? (() => say('502 unknown')))(line)
      }
      if (line !== '.') {
        mail.content += line.endsWith('=') ? line.slice(0, -1) : `${line}\n`
        return
      }
      isMessage = false
      if (state.behavior === 'drop') {
        state.drops++
        return socket.destroy()
      }
      mail.content = mail.content.replaceAll('=3D', '=')
      state.received.push(mail)
      say('250 queued')
    }
    socket.on('error', () => {})
    socket.setEncoding('utf8').on('data', (text: string) => {
      buffered += text
      for (let end = buffered.indexOf('\r\n'); end >= 0; end = buffered.indexOf('\r\n')) {
        const line = buffered.slice(0, end)
        buffered = buffered.slice(end + 2)
        onLine(line)
      }
    })
    say('220 mail.example.com')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => void server.close())
  state.settings.SMTP_URL = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
  return state
}
