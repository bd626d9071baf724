import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { FilledText, maybe, Ok, Text, Timestamp } from '../wire.ts'

const Check = z.object({ ok: z.boolean(), says: z.optional(z.string()).check(z.describe('What is wrong.')) })

/** A dead job and its error. */
export const DeadJob = z.object({
  id: z.string(),
  name: z.string(),
  payload: z.record(z.string(), z.unknown()).check(z.describe('The ids it was about.')),
  created_at: Timestamp,
  failed_at: z.nullable(Timestamp).check(z.describe('When it last failed.')),
  error: z.nullable(z.string()),
})

/** The address of the installation, used in snippets, links and mails. */
export const InstallationAddress = z.object({
  base_url: z.string().check(z.describe('Public URL of the installation.')),
  may_change: z.boolean().check(z.describe('False if the environment sets it, and for all companies but the first.')),
})
export type InstallationAddress = z.output<typeof InstallationAddress>

/** An origin as in the address bar: scheme, host and port only. */
const Origin = Text(300).check(
  z.regex(/^https?:\/\/[^\s/?#@\\]+$/, 'must be an address such as https://chat.example.com'),
)

/** Calls for the operator of the installation. */
export const operations = {
  health: endpoint('anyone', 'GET', '/health', {
    summary: 'Returns whether the process is running. 503 while it stops.',
    answer: z.object({
      ok: z.boolean(),
      version: z.string().check(z.describe('Version of Parley.')),
      uptime_seconds: z.number().check(z.describe('Since the process started.')),
    }),
    limit: 'none',
  }),
  ready: endpoint('anyone', 'GET', '/ready', {
    summary:
      'Checks database, migrations, disk space and bus. 503 if one fails. `files` (the file store) and `consumers` (event consumers) do not cause a 503.',
    answer: z.object({
      ok: z.boolean(),
      database: Check.check(z.describe('Whether the database answers.')),
      migrations: Check.check(z.describe('Whether the schema is current.')),
      storage: Check.check(z.describe('Whether the disk has space.')),
      bus: Check.check(z.describe('Whether Redis answers; always true with one server.')),
      files: Check.check(z.describe('Whether files can be stored.')),
      consumers: Check.check(z.describe('Whether events are read in time.')),
    }),
    limit: 'none',
  }),
  ping: endpoint('anyone', 'GET', '/api/ping', {
    summary: 'Echoes the parameters.',
    answer: data(
      z.object({
        message: z.literal('Pong!'),
        params: z.record(z.string(), z.unknown()).check(z.describe('What was sent.')),
      }),
    ),
  }),
  pingPost: endpoint('anyone', 'POST', '/api/ping', {
    summary: 'Echoes the parameters.',
    answer: data(
      z.object({
        message: z.literal('Pong!'),
        params: z.record(z.string(), z.unknown()).check(z.describe('What was sent.')),
      }),
    ),
  }),
  notifyOperator: endpoint('admin', 'POST', '/api/admin/notifications', {
    summary: 'Mails the operator of this installation. `html` is ignored.',
    body: z.object({
      text: FilledText(10_000).check(z.describe('As plain text.')),
      subject: maybe(Text(200)),
      html: maybe(Text(100_000)).check(z.describe('As HTML.')),
    }),
    answer: data(
      z.object({
        success: z.boolean().check(z.describe('Whether the mail was accepted.')),
        result: z.optional(z.string()).check(z.describe('The id of the mail.')),
        error: z.optional(z.string()),
      }),
    ),
    limit: 'sign-in',
  }),
  address: endpoint('admin', 'GET', '/api/installation/address', {
    summary: 'Returns the URL of this installation.',
    answer: data(InstallationAddress),
  }),
  changeAddress: endpoint('admin', 'PUT', '/api/installation/address', {
    summary: 'Sets the URL of this installation, unless BASE_URL is set in its environment.',
    body: z.object({ base_url: Origin.check(z.describe('Public URL of the installation, without a path.')) }),
    answer: data(InstallationAddress),
  }),
  deadJobs: endpoint('admin', 'GET', '/api/dead_jobs', {
    summary: 'Lists the dead jobs of the account.',
    answer: data(z.array(DeadJob)),
  }),
  retryDeadJob: endpoint('admin', 'POST', '/api/dead_jobs/:id/retry', {
    summary: 'Retries a dead job.',
    answer: data(Ok),
  }),
}
