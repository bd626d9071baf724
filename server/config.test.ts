import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadEnvFile, readConfig, settings } from './config.ts'
import { loadSecretKey, resolveDataFolder } from './data-folder.ts'
import { listen } from './platform/http/listening.ts'
import { createHttpServer } from './platform/http/server.ts'
import { vendorUrls } from './vendor-urls.ts'

const root = resolve(import.meta.dirname, '..')
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-config-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

test('nothing needs to be set', () => {
  expect(readConfig({})).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    port: 4000,
    host: '0.0.0.0',
    baseUrl: 'http://localhost:4000',
    isBaseUrlGiven: false,
    widgetLanguage: undefined,
    messageLabels: undefined,
    dataDir: join(root, 'data'),
    databaseUrl: undefined,
    redisUrl: undefined,
    secretKey: undefined,
    previousSecretKey: undefined,
    trustProxy: 0,
    pushWaitSeconds: 12,
    pushServiceUrl: '',
    rateLimits: true,
    logLevel: 'info',
    registration: 'first',
    fileUploads: 'all',
    movingInMb: 50_000,
    s3Bucket: undefined,
    s3Region: 'us-east-1',
    s3Endpoint: undefined,
    s3AccessKeyId: undefined,
    s3SecretAccessKey: undefined,
    oidcIssuer: undefined,
    oidcClientId: undefined,
    oidcClientSecret: undefined,
    oidcName: 'single sign-on',
    oidcDomains: [],
    reachableHosts: [],
    dnsServers: [],
    smtpUrl: undefined,
    mailFrom: 'Parley <parley@localhost>',
    integrations: true,
    googleConsentUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    googleOauthUrl: 'https://oauth2.googleapis.com',
    gmailApiUrl: 'https://gmail.googleapis.com',
    sheetsApiUrl: 'https://sheets.googleapis.com',
    githubUrl: 'https://github.com',
    githubApiUrl: 'https://api.github.com',
    hubspotUrl: 'https://app.hubspot.com',
    hubspotApiUrl: 'https://api.hubapi.com',
    intercomUrl: 'https://app.intercom.com',
    intercomApiUrl: 'https://api.intercom.io',
    slackClientId: undefined,
    slackClientSecret: undefined,
    slackSigningSecret: undefined,
    slackApiUrl: 'https://slack.com',
    twilioApiUrl: 'https://api.twilio.com',
    snsUrl: '',
    twilioMessagingUrl: 'https://messaging.twilio.com',
    telegramApiUrl: 'https://api.telegram.org',
    whatsappApiUrl: 'https://graph.facebook.com',
    euEdition: false,
    storytime: true,
    userInvitationEmail: false,
    billing: false,
    stripeSecretKey: undefined,
    stripePublicKey: undefined,
    stripeWebhookSecret: undefined,
    stripeApiUrl: 'https://api.stripe.com',
    stripeJsUrl: 'https://js.stripe.com/endive/stripe.js',
    alternatePricing: false,
    salesEmail: undefined,
    supportChat: false,
    supportChatToken: undefined,
    supportChatInbox: undefined,
    supportChatUrl: undefined,
    debug: false,
  })
})

test('an empty value counts as none', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: ' ' })).toEqual(readConfig({}))
})

test('values are read as what they mean', () => {
  const id = '3f2b1c9e-58b3-4c6e-9d1a-0a2b3c4d5e6f'
  const config = readConfig({
    PORT: '4100',
    DATA_DIR: '/srv/parley',
    BILLING: 'on',
    DEBUG: '1',
    RATE_LIMITS: 'off',
    FILE_UPLOADS: `${id}, ${id}`,
    BASE_URL: 'https://chat.example.com/',
  })
  expect(config).toMatchObject({ port: 4100, dataDir: '/srv/parley', billing: true, debug: true, rateLimits: false })
  expect(config.fileUploads).toEqual([id, id])
  expect(config.baseUrl).toBe('https://chat.example.com')
  expect(readConfig({ PORT: '4100' }).baseUrl).toBe('http://localhost:4100')
})

test('a database may be behind a socket, and BASE_URL has no path, which pages and links would ignore', () => {
  const DATABASE_URL = 'postgres://parley:secret@/parley?host=/var/run/postgresql'
  expect(readConfig({ DATABASE_URL }).databaseUrl).toBe(DATABASE_URL)
  expect(() => readConfig({ BASE_URL: 'https://acme.example/support' })).toThrow('without a path')
})

test('a wrong value is answered with its name, what was found and an example, all wrong ones at once', () => {
  const wrong = { PORT: 'abc', BILLING: 'maybe', FILE_UPLOADS: 'some', TRUST_PROXY: '-1', BASE_URL: 'chat.example.com' }
  expect(() => readConfig(wrong)).toThrow(
    [
      'PORT must be a port number from 0 (any free one) to 65535, but it is "abc". Example: PORT=4000',
      'BASE_URL must be the URL at which Parley is opened, starting with http:// or https:// and without a path, but it is "chat.example.com". Example: BASE_URL=https://chat.example.com',
      'TRUST_PROXY must be the number of proxies in front of Parley, 0 to 20, but it is "-1". Example: TRUST_PROXY=1',
      'FILE_UPLOADS must be all, none, or account ids separated by commas, but it is "some". Example: FILE_UPLOADS=none',
      'BILLING must be on or off, but it is "maybe". Example: BILLING=on',
    ].join('\n'),
  )
})

test('a port that is taken and a host that is not ours are named, with an example', async () => {
  const log = pino({ level: 'silent' })
  const [first, second] = await Promise.all([createHttpServer(log, 0), createHttpServer(log, 0)])
  const port = Number(new URL(await listen(first, { port: 0, host: '127.0.0.1' })).port)
  await expect(listen(second, { port, host: '127.0.0.1' })).rejects.toThrow(
    `PORT must be free, but another program listens on ${port}: stop it, or choose another. Example: PORT=`,
  )
  await expect(listen(second, { port: 0, host: '192.0.2.1' })).rejects.toThrow(
    'HOST must be an address of this machine, but it is "192.0.2.1". Example: HOST=127.0.0.1',
  )
  await Promise.all([first.close(), second.close()])
})

test.each([
  ['SECRET_KEY', 'tooshort'],
  ['DATABASE_URL', 'mysql://me:hunter2@localhost/db'],
  ['REDIS_URL', 'http://:hunter2@localhost'],
])('a complaint about %s does not repeat what it holds', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(`${value.length} characters that are not shown here`)
})

test('.env.example names every setting once, and its defaults are the defaults', async () => {
  const lines = (await readFile(join(root, '.env.example'), 'utf8')).split('\n')
  const examples = lines.flatMap((line) => /^#([A-Z0-9_]+)=(.*)$/.exec(line)?.slice(1) ?? [])
  const pairs = Object.fromEntries(examples.flatMap((name, at) => (at % 2 ? [] : [[name, examples[at + 1]]])))
  expect(examples.length).toBe(2 * Object.keys(settings).length)
  expect(Object.keys(pairs).sort()).toEqual(Object.keys(settings).sort())
  const {
    BASE_URL,
    DATABASE_URL,
    REDIS_URL,
    S3_BUCKET,
    S3_ENDPOINT,
    SMTP_URL,
    OIDC_ISSUER,
    OIDC_CLIENT_ID,
    ...defaults
  } = pairs
  expect(readConfig(defaults)).toEqual(readConfig({}))
  readConfig({ BASE_URL, DATABASE_URL, REDIS_URL, S3_BUCKET, S3_ENDPOINT, SMTP_URL, OIDC_ISSUER, OIDC_CLIENT_ID })
})

test('vendors are at their public URLs unless a test names an emulator', () => {
  expect(readConfig({})).toMatchObject({ slackApiUrl: 'https://slack.com', stripeApiUrl: 'https://api.stripe.com' })
  expect(readConfig({ SLACK_API_URL: 'http://127.0.0.1:9/' }).slackApiUrl).toBe('http://127.0.0.1:9')
  expect(Object.keys(settings).filter((name) => Object.hasOwn(vendorUrls, name))).toEqual([])
})

test('a .env file is read, and the environment wins', async () => {
  const file = join(folder, '.env')
  await writeFile(file, 'PARLEY_TEST_A=file\nPARLEY_TEST_B=file\n')
  process.env.PARLEY_TEST_A = 'environment'
  loadEnvFile(file)
  loadEnvFile(join(folder, 'missing'))
  expect([process.env.PARLEY_TEST_A, process.env.PARLEY_TEST_B]).toEqual(['environment', 'file'])
})

test('the secret key is made once, kept for the owner only, and found again', async () => {
  const config = await resolveDataFolder(readConfig({ DATA_DIR: join(folder, 'data') }), pino({ level: 'silent' }))
  const made = await loadSecretKey(config)
  expect(made).toMatch(/^[0-9a-f]{64}$/)
  expect(await loadSecretKey(config)).toBe(made)
  expect((await stat(join(config.dataDir, 'secret.key'))).mode & 0o777).toBe(0o600)
  expect(await loadSecretKey({ ...config, secretKey: 'x'.repeat(32) })).toBe('x'.repeat(32))
  await rm(config.dataDir, { recursive: true })
})
