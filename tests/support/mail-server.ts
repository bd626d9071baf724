import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface MailServer {
  /** Its URL for settings: `smtp://127.0.0.1:2525`. */
  url: string
  /** Accepted mails, oldest first. */
  mails: Email[]
  /** The same in raw form: recipients of the envelope, and the bytes. */
  envelopes: { to: string[]; raw: Buffer }[]
  /** The first mail to an address that matches; waits for it if necessary. */
  receive(to: string, holds?: (mail: Email) => boolean): Promise<Email>
  /** The reply to the next recipients, or at another step: a code such as 450 or 550; undefined accepts again. */
  refuseWith(code: number | undefined, at?: Step): void
  /** Accepts mails but does not reply until `release`. */
  hold(): void
  isHolding(): boolean
  release(): void
  close(): Promise<void>
}

type Step = 'signing in' | 'the sender' | 'the recipient'

const TIMEOUT_MS = 10_000

/**
 * A real mail server on a free port that keeps all mails. With a certificate it offers STARTTLS; `size` is the largest
 * mail in bytes that it says to accept.
 */
export async function startMailServer(certificate?: { key: string; cert: string }, size?: number): Promise<MailServer> {
  const mails: Email[] = []
  const envelopes: MailServer['envelopes'] = []
  let refusal: { code: number | undefined; at: Step } | undefined
  let held: PromiseWithResolvers<void> | undefined
  let waiting = 0
  const answer = (step: Step) => {
    if (refusal?.code && refusal.at === step)
      return Object.assign(new Error('not today'), { responseCode: refusal.code })
  }
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    ...(size && { size }),
    ...(certificate ?? { disabledCommands: ['STARTTLS'] }),
    // Clients that keep a connection open are not waited for.
    closeTimeout: 100,
    onAuth({ username }, _session, done) {
      done(answer('signing in'), { user: username })
    },
    onMailFrom(_address, _session, done) {
      done(answer('the sender'))
    },
    onRcptTo(_address, _session, done) {
      done(answer('the recipient'))
    },
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', async () => {
        const raw = Buffer.concat(parts)
        envelopes.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw })
        mails.push(await PostalMime.parse(raw))
        waiting++
        await held?.promise
        waiting--
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as { port: number }
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    envelopes,
    async receive(to, holds = () => true) {
      const deadline = Date.now() + TIMEOUT_MS
      for (;;) {
        const match = mails.find((mail) => mail.to?.some(({ address }) => address === to) && holds(mail))
        if (match) return match
        if (Date.now() > deadline) throw new Error(`No such mail to ${to} among ${mails.map((mail) => mail.subject)}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    refuseWith(code, at = 'the recipient') {
      refusal = { code, at }
    },
    hold() {
      held = Promise.withResolvers()
    },
    isHolding: () => held !== undefined && waiting > 0,
    release() {
      held?.resolve()
      held = undefined
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
