import { setTimeout as sleep } from 'node:timers/promises'
import type { SMTPServer, SMTPServerSession } from 'smtp-server'
import type { Context } from '../../context.ts'
import { messageOf } from '../../errors.ts'
import { RAW_LIMIT } from '../../features/conversation-mails/parse.ts'
import type { Proof } from '../../features/conversation-mails/sender.ts'
import { findTarget, storeMail } from '../../features/forwarding-addresses/routing.ts'

const MOST_CLIENTS = 50
const IDLE_MS = 60_000

/** A reply of a mail server: 4xx means later, 5xx never. */
function reply(code: number, words: string): Error {
  return Object.assign(new Error(words), { responseCode: code })
}

/**
 * Receives mail for our own addresses, and for nobody else: unknown recipients are refused before any of the mail is read,
 * so that nothing is relayed and nobody is written to about what they never sent. A mail is acknowledged once it is stored.
 */
export async function listenForMail(context: Context, port: number, host: string): Promise<SMTPServer> {
  const { SMTPServer } = await import('smtp-server')
  const { log } = context
  const server = new SMTPServer({
    name: new URL(context.config.baseUrl).hostname,
    banner: 'Parley',
    size: RAW_LIMIT,
    disabledCommands: ['AUTH', 'STARTTLS'],
    maxClients: MOST_CLIENTS,
    socketTimeout: IDLE_MS,
    onRcptTo({ address }, _session, done) {
      findTarget(context, address).then(
        (target) => done(target ? null : reply(550, '5.1.1 No such address here')),
        () => done(reply(451, '4.3.0 Please try again later')),
      )
    },
    onData(stream, session, done) {
      readAll(stream)
        .then(async (raw) => {
          if (!raw) return done(reply(552, '5.3.4 The mail is larger than 35 MB'))
          await takeMail(context, raw, session)
          return done(null, '2.0.0 Stored')
        })
        .catch((error: unknown) => {
          log.warn({ problem: messageOf(error) }, 'A mail could not be stored')
          done(reply(451, '4.3.0 Please try again later'))
        })
    },
  })
  server.on('error', (error: Error) => log.warn({ problem: error.message }, 'Receiving mail'))
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(port, host, () => {
      server.server.off('error', reject)
      resolve()
    })
  })
  return server
}

/** Undefined when it is too large. It is read to its end all the same: the sender hears of it only then. */
async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of stream) {
    bytes += piece.length
    if (bytes <= RAW_LIMIT) pieces.push(piece)
    else pieces.length = 0
  }
  return bytes <= RAW_LIMIT ? Buffer.concat(pieces) : undefined
}

async function takeMail(context: Context, raw: Buffer, session: SMTPServerSession): Promise<void> {
  const { mailFrom, rcptTo } = session.envelope
  const from = mailFrom ? mailFrom.address : ''
  const proof = await checkSender(raw, { from, ip: session.remoteAddress, helo: session.clientHostname })
  await storeMail(context, { raw, from, proof, recipients: rcptTo.map(({ address }) => address) })
}

const CHECK_MS = 10_000

/** Asks the domain after From whether it sent this. A name server that does not answer proves nothing. */
async function checkSender(
  raw: Buffer,
  { from, ip, helo }: { from: string; ip: string; helo: string },
): Promise<Proof> {
  const { authenticate } = await import('mailauth')
  const checked = authenticate(raw, { ip, helo, sender: from, disableArc: true, disableBimi: true })
  const late = sleep(CHECK_MS, undefined, { ref: false })
  const result = await Promise.race([checked, late]).catch(() => undefined)
  const found = result?.dmarc ? result.dmarc.status.result : 'none'
  return found === 'pass' || found === 'fail' ? found : 'none'
}
