import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { FilledText, maybe, Ok, Text, Timestamp } from '../wire.ts'

const Check = z.object({ ok: z.boolean(), says: z.optional(z.string()) })

/** A dead job and its error. */
export const DeadJob = z.object({
  id: z.string(),
  name: z.string(),
  /** The ids it was about. */
  payload: z.record(z.string(), z.unknown()),
  created_at: Timestamp,
  failed_at: z.nullable(Timestamp),
  error: z.nullable(z.string()),
})

/** The address of the installation, used in snippets, links and mails. */
export const InstallationAddress = z.object({
  base_url: z.string(),
  /** False if the environment sets it, and for all companies but the first. */
  may_change: z.boolean(),
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
    answer: z.object({ ok: z.boolean(), version: z.string(), uptime_seconds: z.number() }),
    limit: 'none',
  }),
  ready: endpoint('anyone', 'GET', '/ready', {
    summary:
      'Checks database, migrations, disk space and bus. 503 if one fails. `files` (the file store) and `consumers` (event consumers) do not cause a 503.',
    answer: z.object({
      ok: z.boolean(),
      database: Check,
      migrations: Check,
      storage: Check,
      bus: Check,
      files: Check,
      consumers: Check,
    }),
    limit: 'none',
  }),
  ping: endpoint('anyone', 'GET', '/api/ping', {
    summary: 'Echoes the parameters.',
    answer: data(z.object({ message: z.literal('Pong!'), params: z.record(z.string(), z.unknown()) })),
  }),
  pingPost: endpoint('anyone', 'POST', '/api/ping', {
    summary: 'Echoes the parameters.',
    answer: data(z.object({ message: z.literal('Pong!'), params: z.record(z.string(), z.unknown()) })),
  }),
  notifyOperator: endpoint('admin', 'POST', '/api/admin/notifications', {
    summary: 'Mails the operator of this installation. `html` is ignored.',
    body: z.object({ text: FilledText(10_000), subject: maybe(Text(200)), html: maybe(Text(100_000)) }),
    answer: data(
      z.object({
        success: z.boolean(),
        /** The id of the mail. */
        result: z.optional(z.string()),
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
    body: z.object({ base_url: Origin }),
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
