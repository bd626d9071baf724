import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import pg from 'pg'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { header, report, time } from './figures.ts'
import { type Installation, install } from './installation.ts'

/**
 * `npm run bench:mail`: whether mails arrive and replies leave within a second, compared to a bare parser and a bare
 * mail client.
 */
const MAILS = 1_000
const AT_ONCE = 10
const KEY = 'the key of the relay in the bench'
const TIMEOUT_MS = 300_000

header('Mail: in by a relay’s call, out by SMTP')
const sink = await startSink()
const installation = await install(
  { conversations: 100, messages: 500, customers: 100 },
  { MAIL_IN_DOMAIN: 'in.bench.test', MAIL_IN_KEY: KEY, SMTP_URL: sink.url, MAIL_FROM: 'Bench <support@bench.test>' },
)
const client = new pg.Client(installation.database)
await client.connect()
try {
  const to = await createForwarding(installation)
  const mails = Array.from({ length: MAILS }, (_, at) => writeMail(to, at))
  const bareIn = perSecond(await time(() => inParallel(MAILS, (at) => PostalMime.parse(mails[at]!))))
  report('bare parser, mails a second', bareIn)
  const before = await memory(installation)
  const taking = performance.now()
  await inParallel(MAILS, (at) => submitMail(installation, to, mails[at]!))
  report('Parley, stored and acknowledged a second', perSecond(performance.now() - taking))
  await waitFor(`select count(*)::int from message_mails where direction = 'in'`, MAILS)
  report('Parley, conversations made a second', perSecond(performance.now() - taking))
  report('memory before, after', `${before} MB, ${await memory(installation)} MB`)

  const bareOut = perSecond(await time(() => sendBare(sink.url)))
  report('bare mail client, mails a second', bareOut)
  sink.forget()
  const { rows } = await client.query<{ id: string }>(
    `select id from conversations where source = 'email' order by id limit $1`,
    [MAILS],
  )
  // Replies wait five seconds in case they are taken back; the time after that counts.
  await inParallel(rows.length, (at) => answer(installation, rows[at]!.id))
  const first = await sink.taken(1)
  const last = await sink.taken(MAILS)
  report('Parley, answers that left a second', perSecond(last - first))
  report('memory after', `${await memory(installation)} MB`)
} finally {
  await client.end()
  await installation.close()
  sink.close()
}

function perSecond(ms: number): string {
  return ((1000 * MAILS) / ms).toFixed(0)
}

/** A typical mail: some words, a few headers, and HTML beside the text. */
function writeMail(to: string, at: number): Buffer {
  const words = 'The desk that I ordered three weeks ago has not come yet, and nobody has called me. '.repeat(8)
  const lines = [
    `From: Customer ${at} <customer-${at}@bench.invalid>`,
    `To: ${to}`,
    `Subject: My order ${at}`,
    `Message-ID: <${at}@bench.invalid>`,
    'Date: Mon, 23 Nov 2026 09:00:00 +0000',
    'Content-Type: multipart/alternative; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    '',
    words,
    '--b',
    'Content-Type: text/html; charset=utf-8',
    '',
    `<div dir="ltr"><p>${words}</p></div>`,
    '--b--',
    '',
  ]
  return Buffer.from(lines.join('\r\n'))
}

async function createForwarding({ url, token }: Installation): Promise<string> {
  const forwarding_address = { source_email_address: 'support@bench.test' }
  const { data } = await call<{ data: { forwarding_email_address: string } }>(url, '/api/forwarding_addresses', token, {
    forwarding_address,
  })
  return data.forwarding_email_address
}

async function submitMail({ url }: Installation, to: string, raw: Buffer): Promise<void> {
  const answer = await fetch(`${url}/api/inbound_mail/${encodeURIComponent(KEY)}?to=${encodeURIComponent(to)}`, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822' },
    body: new Uint8Array(raw),
  })
  if (answer.status !== 200) throw new Error(await answer.text())
  await answer.arrayBuffer()
}

function answer({ url, token }: Installation, conversation_id: string) {
  return call(url, '/api/messages', token, { message: { conversation_id, body: 'It comes on Friday.' } })
}

async function call<Body>(url: string, path: string, token: string, body: object): Promise<Body> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: token },
    body: JSON.stringify(body),
  })
  if (answer.status !== 201) throw new Error(await answer.text())
  return (await answer.json()) as Body
}

async function waitFor(query: string, count: number): Promise<void> {
  const until = Date.now() + TIMEOUT_MS
  for (;;) {
    const { rows } = await client.query<{ count: number }>(query)
    if (rows[0]!.count >= count) return
    if (Date.now() > until) throw new Error(`Only ${rows[0]!.count} of ${count} after five minutes.`)
    await sleep(50)
  }
}

/** Memory of the server's process in megabytes. */
async function memory({ server }: Installation): Promise<string> {
  const usage = new Promise<NodeJS.MemoryUsage>((resolve) =>
    server.once('message', (message) => resolve(message as never)),
  )
  server.send('memory')
  return ((await usage).rss / 1e6).toFixed(0)
}

async function sendBare(url: string): Promise<void> {
  const transport = createTransport({ url, pool: true } as Parameters<typeof createTransport>[0])
  const mail = {
    from: 'support@bench.test',
    subject: 'Re: My order',
    text: 'It comes on Friday.',
    html: '<p>It comes.</p>',
  }
  await inParallel(MAILS, (at) => transport.sendMail({ ...mail, to: `customer-${at}@bench.invalid` }))
  transport.close()
}

async function inParallel(count: number, work: (at: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** A mail server that accepts everything for customers, and records the times. */
async function startSink() {
  let times: number[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      stream.resume()
      stream.on('end', () => {
        if (session.envelope.rcptTo.some(({ address }) => address.endsWith('@bench.invalid')))
          times.push(performance.now())
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as { port: number }
  return {
    url: `smtp://127.0.0.1:${port}`,
    forget: () => {
      times = []
    },
    async taken(count: number): Promise<number> {
      const until = Date.now() + TIMEOUT_MS
      while (times.length < count) {
        if (Date.now() > until) throw new Error(`Only ${times.length} of ${count} answers left.`)
        await sleep(20)
      }
      return times[count - 1]!
    },
    close: () => server.close(),
  }
}
