import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { DASHBOARD_LANGUAGES, WIDGET_LANGUAGES } from './languages.ts'
import { OperatorError } from './platform/operator-error.ts'
import { isHostOrNetwork } from './platform/outbound/guard.ts'
import { vendorUrls } from './vendor-urls.ts'

interface Setting<T> {
  schema: z.ZodType<T>
  /** Completes the sentence "PORT must be …". */
  must: string
  example: string
  /** The value is or contains a secret, so error messages do not repeat it. */
  secret: boolean
}

function setting<T>(schema: z.ZodType<T>, must: string, example: string): Setting<T> {
  return { schema, must, example, secret: false }
}

function secret<T>(schema: z.ZodType<T>, must: string, example: string): Setting<T> {
  return { schema, must, example, secret: true }
}

function onOff(usual: boolean): Setting<boolean> {
  const flag = z.stringbool({ truthy: ['on', 'true', 'yes', '1'], falsy: ['off', 'false', 'no', '0'] })
  return setting(flag.default(usual), 'on or off', usual ? 'off' : 'on')
}

function gitHubUrl(usual: string, must: string): Setting<string> {
  const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''))
  return setting(url.default(usual), `the URL of ${must}`, usual)
}

function vendorSecret(vendor: string): Setting<string | undefined> {
  return secret(z.string().min(1).optional(), `the client secret of a ${vendor} app`, 'that of the app')
}

const projectRoot = resolve(import.meta.dirname, '..')
/** The file with the settings, which the server and commands read. */
export const ENV_FILE = resolve(projectRoot, '.env')
const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
const ids = z.string().transform((text) => text.split(/[\s,]+/).filter(Boolean))
/** `example.com=<account id>`, or only a domain where the installation has a single account. */
const domainOfAccount = z.string().transform((text, context) => {
  const [domain = '', account_id] = text.toLowerCase().split('=')
  const isRight =
    /^[^@=\s]+\.[^@=\s]+$/.test(domain) && (account_id === undefined || z.uuid().safeParse(account_id).success)
  if (!isRight) context.addIssue('wrong')
  return { domain, account_id }
})
const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** All settings with defaults. `.env.example` explains each; a test keeps the two in step. */
export const settings = {
  PORT: setting(whole(0, 65535).default(4000), 'a port number from 0 (any free one) to 65535', '4000'),
  HOST: setting(z.string().regex(/^\S+$/).default('0.0.0.0'), 'an address of this machine', '127.0.0.1'),
  BASE_URL: setting(
    z
      .url({ protocol: /^https?$/ })
      .refine((text) => /^\/*$/.test(URL.parse(text)?.pathname ?? ''))
      .optional(),
    'the URL at which Parley is opened, starting with http:// or https:// and without a path',
    'https://chat.example.com',
  ),
  DATA_DIR: setting(z.string().default('data'), 'a folder', '/srv/parley'),
  DATABASE_URL: secret(
    // Without a host in the URL, `?host=/folder` names the folder of a socket.
    z
      .string()
      .regex(/^postgres(ql)?:\/\//)
      .refine((text) => URL.canParse(text.replace(/(@|:\/\/)\//, '$1localhost/')))
      // What the driver takes these for; under their own names it warns on each start.
      .transform((text) => text.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, '$1verify-full'))
      .optional(),
    'the URL of a PostgreSQL database, starting with postgres://',
    'postgres://parley:secret@localhost:5432/parley',
  ),
  DATABASE_CONNECTIONS: setting(whole(5, 500).optional(), 'a number of connections from 5 to 500', '15'),
  REDIS_URL: secret(
    z.url({ protocol: /^rediss?$/ }).optional(),
    'the URL of a Redis or Valkey server, starting with redis:// or rediss://',
    'redis://localhost:6379',
  ),
  SECRET_KEY: secret(
    z.string().min(32).optional(),
    'at least 32 characters that nobody can guess',
    'the output of `openssl rand -hex 32`',
  ),
  PREVIOUS_SECRET_KEY: secret(
    z.string().min(32).optional(),
    'the previous value of SECRET_KEY, at least 32 characters',
    'the previous value of SECRET_KEY',
  ),
  TRUST_PROXY: setting(whole(0, 20).default(0), 'the number of proxies in front of Parley, 0 to 20', '1'),
  RATE_LIMITS: onOff(true),
  LOG_LEVEL: setting(z.enum(levels).default('info'), `one of ${levels.join(', ')}`, 'warn'),
  REGISTRATION: setting(z.enum(['first', 'open', 'invite']).default('first'), 'first, open or invite', 'open'),
  FILE_UPLOADS: setting(
    z.union([z.enum(['all', 'none']), ids.pipe(z.array(z.uuid()).min(1))]).default('all'),
    'all, none, or account ids separated by commas',
    'none',
  ),
  MOVING_IN_MB: setting(
    whole(0, 10_000_000).default(50_000),
    'the largest file in MB that may be uploaded to move in from another product, or 0 for none',
    '0',
  ),
  S3_BUCKET: setting(
    z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{2,62}$/)
      .optional(),
    'the name of a bucket',
    'parley-files',
  ),
  S3_REGION: setting(z.string().default('us-east-1'), 'a region', 'eu-central-1'),
  S3_ENDPOINT: setting(
    z.url({ protocol: /^https?$/ }).optional(),
    'the URL of an S3-compatible store, starting with https://',
    'https://s3.example.com',
  ),
  S3_ACCESS_KEY_ID: secret(z.string().min(1).optional(), 'an access key id', 'the id that came with your key'),
  S3_SECRET_ACCESS_KEY: secret(
    z.string().min(1).optional(),
    'a secret access key',
    'the secret that came with your key',
  ),
  SMTP_URL: secret(
    z.url({ protocol: /^smtps?$/ }).optional(),
    'the URL of a mail server, starting with smtp:// or smtps://',
    'smtp://user:password@mail.example.com:587',
  ),
  MAIL_FROM: setting(
    z
      .string()
      .regex(/^[^<>@\s]+@[^<>@\s]+$|^[^<>]*<[^<>@\s]+@[^<>@\s]+>$/)
      .default('Parley <parley@localhost>'),
    'an e-mail address, optionally preceded by a name',
    'Acme support <support@example.com>',
  ),
  MAIL_IN_DOMAIN: setting(
    z
      .string()
      .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i)
      .optional(),
    'a domain whose mail is delivered to Parley',
    'in.example.com',
  ),
  MAIL_IN_ADDRESS: setting(
    z.email().optional(),
    'an e-mail address whose mailbox also accepts mail for the address with +something',
    'inbox@example.com',
  ),
  MAIL_IN_IMAP_URL: secret(
    z
      .url({ protocol: /^imaps?$/ })
      .refine((text) => new URL(text).username !== '')
      .optional(),
    'the URL of a mailbox with user and password, starting with imaps:// or imap://',
    'imaps://inbox%40example.com:password@imap.example.com',
  ),
  MAIL_IN_PORT: setting(whole(0, 65535).optional(), 'a port number from 0 (any free one) to 65535', '25'),
  MAIL_IN_TLS_CERT: setting(
    z.string().optional(),
    'the path of a PEM file with a certificate and its chain',
    '/etc/letsencrypt/live/in.example.com/fullchain.pem',
  ),
  MAIL_IN_TLS_KEY: setting(
    z.string().optional(),
    'the path of a PEM file with the private key of that certificate',
    '/etc/letsencrypt/live/in.example.com/privkey.pem',
  ),
  MAIL_IN_KEY: secret(
    z.string().min(16).optional(),
    'at least 16 characters that nobody can guess',
    'the output of `openssl rand -hex 24`',
  ),
  METRICS_TOKEN: secret(
    z.string().min(16).optional(),
    'at least 16 characters that nobody can guess',
    'the output of `openssl rand -hex 24`',
  ),
  MAIL_IN_MAILGUN_KEY: secret(
    z.string().min(1).optional(),
    'the webhook signing key of a Mailgun account',
    'that of the account',
  ),
  SES_BUCKET_NAME: setting(
    z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{2,62}$/)
      .optional(),
    'the name of the S3 bucket in which SES stores mails',
    'acme-inbound-mail',
  ),
  SES_REGION: setting(z.string().min(1).optional(), 'the region of that bucket', 'eu-west-1'),
  PUSH_WAIT_SECONDS: setting(whole(0, 120).default(12), 'a number of seconds from 0 to 120', '20'),
  OPERATOR_EMAIL: setting(z.email().optional(), 'an e-mail address', 'operator@example.com'),
  OIDC_ISSUER: setting(
    z.url({ protocol: /^https?$/ }).optional(),
    'the issuer URL of an OpenID Connect sign-in service',
    'https://login.example.com',
  ),
  OIDC_CLIENT_ID: setting(z.string().min(1).optional(), 'the client id of Parley at the sign-in service', 'parley'),
  OIDC_CLIENT_SECRET: secret(
    z.string().min(1).optional(),
    'the client secret of Parley at the sign-in service',
    'the secret that came with the id',
  ),
  OIDC_NAME: setting(z.string().min(1).max(40).default('single sign-on'), 'the label of the sign-in button', 'Acme ID'),
  OIDC_DOMAINS: setting(
    ids.pipe(z.array(domainOfAccount)).default([]),
    'e-mail domains separated by commas, each followed by = and the id of its account',
    'example.com=3f2b1c9e-58b3-4c6e-9d1a-0a2b3c4d5e6f',
  ),
  REACHABLE_HOSTS: setting(
    ids
      .transform((entries) => entries.map((entry) => entry.toLowerCase()))
      .pipe(z.array(z.string().refine(isHostOrNetwork)))
      .default([]),
    'private hosts and networks separated by commas',
    'mattermost.lan, 10.1.0.0/16',
  ),
  DNS_SERVERS: setting(
    ids
      .pipe(
        z.array(
          z.string().regex(/^(\d{1,3}(\.\d{1,3}){3}(:\d{1,5})?|[0-9a-f:]*:[0-9a-f:]+|\[[0-9a-f:]+\](:\d{1,5})?)$/i),
        ),
      )
      .default([]),
    'IP addresses of name servers separated by commas',
    '9.9.9.9, 10.1.0.53:53',
  ),
  INTEGRATIONS: onOff(true),
  SLACK_CLIENT_ID: setting(z.string().min(1).optional(), 'the client id of a Slack app', '1234.5678'),
  SLACK_CLIENT_SECRET: vendorSecret('Slack'),
  SLACK_SIGNING_SECRET: secret(z.string().min(1).optional(), 'the signing secret of a Slack app', 'that of the app'),
  GOOGLE_CLIENT_ID: setting(
    z.string().min(1).optional(),
    'the id of a Google OAuth client',
    '1234-abcd.apps.googleusercontent.com',
  ),
  GOOGLE_CLIENT_SECRET: vendorSecret('Google'),
  GITHUB_APP_ID: setting(z.string().regex(/^\d+$/).optional(), 'the id of a GitHub app', '123456'),
  GITHUB_APP_SLUG: setting(
    z
      .string()
      .regex(/^[\w-]+$/)
      .optional(),
    'the name of that app in its GitHub URL',
    'acme-parley',
  ),
  GITHUB_APP_PRIVATE_KEY: secret(
    z.string().min(1).optional(),
    'the private key of that app',
    'the content of the .pem file, with \\n for new lines',
  ),
  GITHUB_CLIENT_ID: setting(z.string().min(1).optional(), 'the client id of that app', 'Iv23…'),
  GITHUB_CLIENT_SECRET: vendorSecret('GitHub'),
  GITHUB_WEBHOOK_SECRET: secret(z.string().min(1).optional(), 'the webhook secret of that app', 'that of the app'),
  GITHUB_URL: gitHubUrl('https://github.com', 'GitHub or a GitHub Enterprise server'),
  GITHUB_API_URL: gitHubUrl('https://api.github.com', 'the API of GitHub or of a GitHub Enterprise server'),
  HUBSPOT_CLIENT_ID: setting(z.string().min(1).optional(), 'the client id of a HubSpot app', 'that of the app'),
  HUBSPOT_CLIENT_SECRET: vendorSecret('HubSpot'),
  INTERCOM_CLIENT_ID: setting(z.string().min(1).optional(), 'the client id of an Intercom app', 'that of the app'),
  INTERCOM_CLIENT_SECRET: vendorSecret('Intercom'),
  EU_EDITION: onOff(false),
  STORYTIME: onOff(true),
  USER_INVITATION_EMAIL: onOff(false),
  BILLING: onOff(false),
  STRIPE_SECRET_KEY: secret(
    z
      .string()
      .regex(/^[rs]k_\w+$/)
      .optional(),
    'a secret key of Stripe, starting with sk_ or rk_',
    'sk_live_…',
  ),
  STRIPE_PUBLIC_KEY: setting(
    z
      .string()
      .regex(/^pk_\w+$/)
      .optional(),
    'a publishable key of Stripe, starting with pk_',
    'pk_live_…',
  ),
  STRIPE_WEBHOOK_SECRET: secret(
    z
      .string()
      .regex(/^whsec_\w+$/)
      .optional(),
    'the signing secret of the webhook at Stripe, starting with whsec_',
    'whsec_…',
  ),
  ALTERNATE_PRICING: onOff(false),
  SALES_EMAIL: setting(z.email().optional(), 'an e-mail address', 'sales@example.com'),
  WIDGET_LANGUAGE: setting(z.enum(WIDGET_LANGUAGES).optional(), `one of ${WIDGET_LANGUAGES.join(', ')}`, 'en'),
  MESSAGE_LABELS: setting(z.enum(DASHBOARD_LANGUAGES).optional(), `one of ${DASHBOARD_LANGUAGES.join(', ')}`, 'en'),
  SUPPORT_CHAT: onOff(false),
  SUPPORT_CHAT_TOKEN: setting(z.uuid().optional(), 'the id of an account', '3f2b1c9e-58b3-4c6e-9d1a-0a2b3c4d5e6f'),
  SUPPORT_CHAT_INBOX: setting(
    z.uuid().optional(),
    'the id of an inbox of that account',
    '7c0e6a52-1d5b-4f0a-8f43-5a9d1f0c2b7e',
  ),
  SUPPORT_CHAT_URL: setting(
    z.url({ protocol: /^https?$/ }).optional(),
    'the URL of a Parley server, starting with http:// or https://',
    'https://support.example.com',
  ),
  DEBUG: onOff(false),
}

type Settings = typeof settings
type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name>
type Read = { [Name in keyof Settings as CamelCase<Name>]: z.output<Settings[Name]['schema']> }
type VendorUrls = { [Name in keyof typeof vendorUrls as CamelCase<Name>]: string }

/**
 * The settings in use: `BASE_URL` is `baseUrl`. Addresses have no trailing slash, `dataDir` is an absolute path, and
 * `version` is Parley's own. Unless BASE_URL is set, `baseUrl` can be changed in the dashboard while the server runs:
 * read it when it is needed.
 */
export type Config = Read &
  VendorUrls & {
    baseUrl: string
    isBaseUrlGiven: boolean
    version: string
    /** The share of traces that is sent, 1 for all; undefined if OpenTelemetry's variables set no collector. */
    tracedShare: number | undefined
  }

const { version }: { version: string } = JSON.parse(readFileSync(resolve(projectRoot, 'package.json'), 'utf8'))

/**
 * Reads all settings from `env`, the only place that does; an empty value counts as unset. Throws OperatorError with
 * one sentence for every invalid value.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const complaints: string[] = []
  const read = Object.entries(settings).map(([name, { schema, ...details }]) => {
    const value = env[name]?.trim() || undefined
    const { success, data } = schema.safeParse(value)
    if (!success) complaints.push(describeProblem(name, value, details))
    return [camelCase(name), data]
  })
  if (complaints.length > 0) throw new OperatorError(complaints.join('\n'))
  const config: Read = Object.fromEntries(read)
  const baseUrl = (config.baseUrl ?? `http://localhost:${config.port}`).replace(/\/+$/, '')
  return {
    ...config,
    ...readVendorUrls(env),
    version,
    tracedShare: readTracedShare(env),
    baseUrl,
    isBaseUrlGiven: config.baseUrl !== undefined,
    dataDir: resolve(projectRoot, config.dataDir),
  }
}

function readVendorUrls(env: NodeJS.ProcessEnv): VendorUrls {
  const urls = Object.entries(vendorUrls).map(([name, url]) => [camelCase(name), env[name]?.replace(/\/+$/, '') || url])
  return Object.fromEntries(urls)
}

/** From OpenTelemetry's standard variables; its library reads the others itself. */
function readTracedShare(env: NodeJS.ProcessEnv): number | undefined {
  const collector = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT
  const isOff = env.OTEL_SDK_DISABLED === 'true' || env.OTEL_TRACES_EXPORTER === 'none'
  if (!collector || isOff) return undefined
  const sampler = env.OTEL_TRACES_SAMPLER ?? ''
  if (sampler.endsWith('always_off')) return 0
  const share = Number(env.OTEL_TRACES_SAMPLER_ARG || 1)
  return sampler.endsWith('traceidratio') && share >= 0 && share <= 1 ? share : 1
}

/** Settings may also be in a `.env` file in the project's root; the environment takes precedence. */
export function loadEnvFile(file = ENV_FILE): void {
  let text: string
  try {
    // Node's own loading treats a file that may not be read like a missing one.
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return
    throw new OperatorError(
      `The settings in ${file} cannot be read (${code}): use the user of the server, for example with sudo -u parley.`,
    )
  }
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value
}

function describeProblem(
  name: string,
  value = '',
  { must, example, secret }: Omit<Setting<unknown>, 'schema'>,
): string {
  const shown = secret ? `${value.length} characters that are not shown here` : JSON.stringify(value)
  return `${name} must be ${must}, but it is ${shown}. Example: ${name}=${example}`
}

function camelCase(name: string): string {
  return name.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}
