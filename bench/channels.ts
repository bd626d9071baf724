import { setTimeout as sleep } from 'node:timers/promises'
import { PERSONAL_TOKEN, startGithub } from '#tests/emulators/github.ts'
import { MAILBOX_PASSWORD, MAILBOX_USER, startImapServer } from '#tests/emulators/imap-server.ts'
import { BOT_TOKEN, MattermostEmulator } from '#tests/emulators/mattermost.ts'
import { SlackEmulator } from '#tests/emulators/slack.ts'
import { ACCOUNT_SID, AUTH_TOKEN, NUMBER, startTwilio } from '#tests/emulators/twilio.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { header, report } from './figures.ts'
import { type Installation, install } from './installation.ts'
import { databaseProcesses, memoryOf, processorSeconds } from './processes.ts'

/** `npm run bench:channels`: what 200 idle connections cost. Linux only: it reads /proc. */
const LINES = 70
const SLACK = 29
const GITHUB = 30
/** Long enough for one of the polls that run every five minutes. The bench pauses twice for this long. */
const WATCHED_MS = 310_000
const PROMISED_MIB = 30
const PROMISED_SHARE = 0.02
const MIB = 2 ** 20

header('Connections on which nothing happens')
const channels = Array.from({ length: SLACK }, (_, number) => ({ name: `support-${number}` }))
const slack = await SlackEmulator.start({ id: 'T0BENCH', name: 'Bench', users: [], channels })
const mattermost = await MattermostEmulator.start([])
const [imap, smtp, github, twilio] = await Promise.all([
  startImapServer(),
  startMailServer(),
  startGithub(),
  startTwilio(),
])
const settings = { REACHABLE_HOSTS: '127.0.0.1', ...slack.settings, ...github.settings, ...twilio.settings }
const installation = await install({ conversations: 100, messages: 500 }, settings)
try {
  // Code loaded by the first connection of a kind stays loaded, so it is not counted.
  await connectAll(0, 1)
  await sleep(20_000)
  const before = await watch('one connection of each kind')
  await connectAll(1, LINES)
  await sleep(20_000)
  const lines = mattermost.openLines() + imap.openLines() + slack.openLines()
  const after = await watch(`${2 * LINES + SLACK + GITHUB + 1} connections, ${lines} lines open`)
  const memory = after.memory - before.memory
  report('all of them more', `${(memory / MIB).toFixed(1)} MiB resident (promised: ${PROMISED_MIB})`)
  const share = after.server - before.server
  report('…of a core', `${(share * 100).toFixed(2)} % (promised: ${PROMISED_SHARE * 100} %)`)
  report('…of a core, database', `${((after.database - before.database) * 100).toFixed(2)} %`)
} finally {
  await installation.close()
  await Promise.all([slack, mattermost, imap, smtp, github, twilio].map((one) => one.close()))
}

/** Resident memory and used shares of a core while nothing happens. */
async function watch(what: string): Promise<{ memory: number; server: number; database: number }> {
  const used = () => ({
    server: processorSeconds([installation.server.pid!]),
    database: processorSeconds(databaseProcesses(installation.postmaster)),
  })
  const before = used()
  await sleep(WATCHED_MS)
  const after = used()
  const { rss } = await memoryOf(installation)
  const share = (name: 'server' | 'database') => (after[name] - before[name]) / (WATCHED_MS / 1000)
  const found = { memory: rss, server: share('server'), database: share('database') }
  const percent = (value: number) => `${(value * 100).toFixed(2)} %`
  report(what, `${(rss / MIB).toFixed(0)} MiB, ${percent(found.server)} of a core, database ${percent(found.database)}`)
  return found
}

/**
 * Connects these companies (by number), each with a mailbox and Mattermost, some with Slack and GitHub, one with
 * Twilio.
 */
async function connectAll(from: number, to: number): Promise<void> {
  for (let number = from; number < to; number++) await connectCompany(installation, number)
}

async function connectCompany({ url }: Installation, number: number): Promise<void> {
  const password = 'correct horse battery'
  const user = { company_name: `Company ${number}`, email: `admin-${number}@bench.test`, password }
  const made = await call(url, 'POST', '/api/registration', { user: { ...user, password_confirmation: password } })
  const { token } = made.data
  const { data: inbox } = await call(url, 'GET', '/api/inboxes/primary', undefined, token)
  const connect = (path: string, authorization: object) =>
    call(url, 'POST', path, { authorization: { inbox_id: inbox.id, ...authorization } }, token)
  await connect('/api/mattermost/auth', {
    mattermost_url: mattermost.url,
    access_token: BOT_TOKEN,
    channel_id: mattermostChannel(number),
  })
  await connect('/api/mailbox/auth', {
    address: `support-${number}@bench.test`,
    username: MAILBOX_USER,
    password: MAILBOX_PASSWORD,
    imap_host: '127.0.0.1',
    imap_port: imap.port,
    imap_security: 'none',
    smtp_host: '127.0.0.1',
    smtp_port: Number(new URL(smtp.url).port),
    smtp_security: 'none',
  })
  if (number < SLACK) {
    const { bot_token, app_token } = slack.team
    const channel_id = slack.team.channels[`support-${number}`]
    await connect('/api/slack/auth', { type: 'reply', bot_token, app_token, channel_id })
  }
  if (number < GITHUB) await connect('/api/github/auth', { access_token: PERSONAL_TOKEN })
  if (number === 0) {
    await connect('/api/twilio/auth', {
      twilio_account_sid: ACCOUNT_SID,
      twilio_auth_token: AUTH_TOKEN,
      from_phone_number: NUMBER,
    })
  }
}

/** A channel that no other company has connected. */
function mattermostChannel(number: number): string {
  const id = `bench${String(number).padStart(21, '0')}`
  mattermost.channels.push({ ...mattermost.support, id, name: id })
  return id
}

// biome-ignore lint/suspicious/noExplicitAny: responses are untyped here
async function call(url: string, method: string, path: string, body?: object, token?: string): Promise<any> {
  const headers = { ...(body && { 'content-type': 'application/json' }), ...(token && { authorization: token }) }
  const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const read = (await answer.json()) as { data?: { ok?: boolean } }
  if (!answer.ok || read.data?.ok === false) throw new Error(`${method} ${path}: ${JSON.stringify(read)}`)
  return read
}
