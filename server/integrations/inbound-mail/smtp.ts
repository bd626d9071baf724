import type { SMTPServer, SMTPServerSession } from 'smtp-server'
import type { Context } from '../../context.ts'
import { messageOf } from '../../errors.ts'
import { RAW_LIMIT } from '../../features/mail/conversation-mails/mime/limits.ts'
import { MailQuotaExceeded } from '../../features/mail/forwarding-addresses/incoming-quota.ts'
import { findTarget, storeMail } from '../../features/mail/forwarding-addresses/routing.ts'
import { readCertificate } from './certificate.ts'
import { checkSender } from './check-sender.ts'
import { HeldMails } from './held-mails.ts'
import { SESSION_LIMITS, type SessionLimits, SmtpSessions } from './smtp-sessions.ts'

/** Also those that are refused, until they have left. */
const MAX_CLIENTS = 200
const IDLE_MS = 60_000
const CERTIFICATE_READ_MS = 12 * 3_600_000

/** A mail server's reply: 4xx means later, 5xx never. */
function reply(code: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode: code })
}

const REFUSALS = {
  'too large': reply(552, '5.3.4 The mail is larger than 35 MB'),
  busy: reply(452, '4.3.1 Too many large mails at once, please try again later'),
}

const OVER_QUOTA = reply(452, '4.2.2 Too much mail for this recipient, please try again later')
/** Ends the session. */
const TOO_MANY_UNKNOWN = reply(421, '4.7.0 Too many unknown recipients')

/**
 * Receives mail for our own addresses only: unknown recipients are refused before any content is read, so that nothing
 * is relayed and no bounces go to forged senders. A mail is acknowledged once it is stored.
 */
export async function listenForMail(
  context: Context,
  { port, host, limits = SESSION_LIMITS }: { port: number; host: string; limits?: SessionLimits },
): Promise<SMTPServer> {
  const { SMTPServer } = await import('smtp-server')
  const { log } = context
  const held = new HeldMails()
  const admitted = new Set<string>()
  const sessions = new SmtpSessions(limits, (id, why) => {
    for (const connection of server.connections) if (connection.id === id) connection.send(421, `4.4.2 ${why}`, false)
  })
  const certificate = await readCertificate(context.config)
  const server = new SMTPServer({
    name: new URL(context.config.baseUrl).hostname,
    banner: 'Parley',
    size: RAW_LIMIT,
    disabledCommands: certificate ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    ...certificate,
    maxClients: MAX_CLIENTS,
    socketTimeout: IDLE_MS,
    onConnect({ id, remoteAddress }, done) {
      if (!held.enter(remoteAddress)) return done(reply(421, '4.7.0 Too many connections from your network'))
      admitted.add(id)
      return done(sessions.begin(id) ? null : reply(421, '4.3.2 Too many connections, please try again later'))
    },
    onClose({ id, remoteAddress }) {
      sessions.end(id)
      if (admitted.delete(id)) held.leave(remoteAddress)
    },
    onRcptTo({ address }, { id }, done) {
      findTarget(context, address).then(
        (target) => {
          if (target) sessions.completeStep(id)
          if (target) return done(null)
          done(sessions.countUnknown(id) ? TOO_MANY_UNKNOWN : reply(550, '5.1.1 No such address here'))
        },
        () => done(reply(451, '4.3.0 Please try again later')),
      )
    },
    onData(stream, session, done) {
      held
        .read(sessions.count(session.id, stream), async (mail) => {
          if ('raw' in mail) await receiveMail(context, mail.raw, session)
          return mail
        })
        .then((mail) => ('raw' in mail ? done(null, '2.0.0 Stored') : done(REFUSALS[mail.refused])))
        .catch((error: unknown) => {
          if (error instanceof MailQuotaExceeded) return done(OVER_QUOTA)
          log.warn({ problem: messageOf(error) }, 'A mail could not be stored')
          done(reply(451, '4.3.0 Please try again later'))
        })
        .finally(() => sessions.endMail(session.id))
    },
  })
  server.on('close', () => sessions.close())
  if (certificate) reloadCertificate(server, context)
  server.on('error', (error: Error) =>
    log.warn({ problem: error.message }, 'The mail server for incoming mail reported an error'),
  )
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(port, host, () => {
      server.server.off('error', reject)
      resolve()
    })
  })
  return server
}

/** Certificates are renewed while the server runs. An invalid one leaves the previous one in use. */
function reloadCertificate(server: SMTPServer, { config, log }: Context): void {
  const timer = setInterval(() => {
    readCertificate(config).then(
      (certificate) => server.updateSecureContext(certificate),
      (error: unknown) =>
        log.warn({ problem: messageOf(error) }, 'The mail server for incoming mail reported an error'),
    )
  }, CERTIFICATE_READ_MS).unref()
  server.on('close', () => clearInterval(timer))
}

async function receiveMail(context: Context, raw: Buffer, session: SMTPServerSession): Promise<void> {
  const { mailFrom, rcptTo } = session.envelope
  const from = mailFrom ? mailFrom.address : ''
  const recipients = rcptTo.map(({ address }) => address)
  const { remoteAddress: ip, clientHostname: helo } = session
  const proof = await checkSender(context, recipients[0] ?? '', { raw, from, ip, helo })
  await storeMail(context, { raw, from, proof, recipients })
}
