import { connect, createServer, type Socket } from 'node:net'
import hoodiecrow from 'hoodiecrow-imap'

export interface ImapServer {
  /** The port on 127.0.0.1. */
  port: number
  /** A mail arrives in a folder. */
  deliverMail(raw: string, folder?: string): void
  /** The mails stored in a folder. */
  folder(path?: string): { uid: number; raw: string; flags: string[] }[]
  /** Changes the UIDVALIDITY of a folder. */
  renumber(folder?: string): void
  /** Deletes a folder with its mails. */
  deleteFolder(path: string): void
  /** Changes the password. */
  changePassword(password: string): void
  /** Cuts all open connections, as a network failure does. */
  cutLines(): void
  /** The open connections stay open, but nothing passes over them any more. */
  silenceLines(): void
  /** Refuses new connections until `accept`. */
  refuseLines(): void
  acceptLines(): void
  /** Runs once, before the next mail is fetched. */
  beforeFetch(run: () => void): void
  /** The number of open connections. */
  openLines(): number
  /** How many connections were ever opened. */
  linesOpened(): number
  close(): Promise<void>
}

export const MAILBOX_USER = 'support@acme.test'
export const MAILBOX_PASSWORD = 'the password of the mailbox'

/** A real IMAP server behind a relay that can cut connections. */
export async function startImapServer(): Promise<ImapServer> {
  const server = hoodiecrow({
    plugins: ['ID', 'IDLE', 'UIDPLUS', 'SPECIAL-USE', 'SASL-IR', 'AUTH-PLAIN', 'LITERALPLUS'],
    users: { [MAILBOX_USER]: { password: MAILBOX_PASSWORD } },
    storage: {
      INBOX: {},
      '': {
        separator: '/',
        folders: { Sent: { 'special-use': '\\Sent' }, Archive: {} },
      },
    },
  })
  // Each connection listens for changes of its folder.
  server.setMaxListeners(0)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port: inner } = server.server.address() as { port: number }
  const lines = new Set<Socket>()
  const behindLines = new Map<Socket, Socket>()
  const silent = new Set<Socket>()
  let opened = 0
  let isRefusing = false
  let beforeFetch: (() => void) | undefined
  const relay = createServer((line) => {
    if (isRefusing) return line.destroy()
    const behind = connect(inner, '127.0.0.1')
    lines.add(line)
    behindLines.set(line, behind)
    opened++
    line.on('data', (command) => {
      if (!beforeFetch || !String(command).includes('UID FETCH')) return
      beforeFetch()
      beforeFetch = undefined
    })
    for (const [socket, other] of [
      [line, behind],
      [behind, line],
    ] as const) {
      socket.pipe(other)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        other.destroy()
        lines.delete(line)
        behindLines.delete(line)
      })
    }
  })
  await new Promise<void>((done) => relay.listen(0, '127.0.0.1', done))
  const { port } = relay.address() as { port: number }
  const cutLines = () => {
    for (const line of lines) line.destroy()
  }
  return {
    port,
    deliverMail: (raw, folder = 'INBOX') => void server.appendMessage(folder, [], undefined, raw),
    folder: (path = 'INBOX') => server.getMailbox(path).messages,
    renumber(path = 'INBOX') {
      const folder = server.getMailbox(path)
      folder.uidvalidity += 1
    },
    deleteFolder: (path) => server.deleteMailbox(path),
    changePassword(password) {
      server.users[MAILBOX_USER]!.password = password
    },
    cutLines,
    silenceLines() {
      for (const line of lines) {
        const behind = behindLines.get(line)
        line.unpipe()
        line.pause()
        behind?.unpipe()
        behind?.pause()
        for (const socket of [line, behind]) if (socket) silent.add(socket)
      }
      lines.clear()
    },
    refuseLines() {
      isRefusing = true
      cutLines()
    },
    acceptLines() {
      isRefusing = false
    },
    beforeFetch(run) {
      beforeFetch = run
    },
    openLines: () => lines.size,
    linesOpened: () => opened,
    async close() {
      cutLines()
      for (const socket of silent) socket.destroy()
      await new Promise((done) => relay.close(done))
      await new Promise<void>((done) => server.close(done))
    },
  }
}

/** A mail as a person would write it. */
export function plainMail({
  from,
  subject,
  text,
  id,
  answers,
}: Record<'from' | 'subject' | 'text', string> & { id?: string; answers?: string }) {
  const lines = [
    `From: ${from}`,
    `To: ${MAILBOX_USER}`,
    `Subject: ${subject}`,
    `Message-ID: <${id ?? crypto.randomUUID()}@customer.test>`,
    ...(answers ? [`In-Reply-To: ${answers}`, `References: ${answers}`] : []),
    `Date: ${new Date().toUTCString()}`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    text,
    '',
  ]
  return lines.join('\r\n')
}
