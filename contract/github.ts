import * as z from 'zod/mini'
import { data, endpoint } from './endpoint.ts'
import { AccountAuthorization, Connected, PastedToken } from './integrations.ts'
import { FilledText, GivenBoolean, maybe, Ok, Text } from './wire.ts'

/** In GitHub's shape; the fields listed here are used by us. */
export const GithubIssue = z.looseObject({
  number: z.int(),
  title: z.string(),
  body: z.nullish(z.string()),
  state: z.string(),
  html_url: z.string(),
})
export type GithubIssue = z.output<typeof GithubIssue>

/** A repository that the connection can access, in GitHub's shape. */
export const GithubRepository = z.looseObject({
  id: z.int(),
  name: z.string(),
  full_name: z.string(),
  html_url: z.string(),
  private: z.boolean(),
})
export type GithubRepository = z.output<typeof GithubRepository>

/** Settings chosen by admins. */
export const GithubSettings = z.object({
  /** Whether issues that are done or closed here are closed at GitHub, and reopened with them. */
  closes_issues: z.boolean(),
})
export type GithubSettings = z.output<typeof GithubSettings>

/** The connection, and how it was made. */
export const GithubAuthorization = z.extend(AccountAuthorization, {
  /** By an installed app, or by a token. */
  kind: z.enum(['app', 'token']),
  label: z.string(),
  settings: GithubSettings,
})
export type GithubAuthorization = z.output<typeof GithubAuthorization>

/** Calls about GitHub. */
export const github = {
  oauth: endpoint('admin', 'GET', '/api/github/oauth', {
    summary: 'Connects GitHub with the installation of an app, or with a code; of clients that keep no state.',
    query: z.object({
      code: z.optional(Text(4000)),
      installation_id: z.optional(Text(40)),
      setup_action: z.optional(Text(40)),
    }),
    answer: Connected,
    limit: 'message',
    session_only: true,
  }),
  connect: endpoint('admin', 'POST', '/api/github/auth', {
    summary: 'Connects GitHub with a token that was made there, after it was tried.',
    body: PastedToken,
    answer: Connected,
    limit: 'message',
    session_only: true,
  }),
  get: endpoint('user', 'GET', '/api/github/authorization', {
    summary: 'The connection with GitHub, or null.',
    answer: data(z.nullable(GithubAuthorization)),
  }),
  saveSettings: endpoint('admin', 'PUT', '/api/github/authorizations/:id/settings', {
    summary: 'Changes what the connection does.',
    body: z.object({ settings: z.object({ closes_issues: GivenBoolean }) }),
    answer: data(GithubAuthorization),
  }),
  remove: endpoint('admin', 'DELETE', '/api/github/authorizations/:id', {
    summary: 'Disconnects GitHub. The app is uninstalled there.',
    answer: z.null(),
    status: 204,
  }),
  repositories: endpoint('user', 'GET', '/api/github/repos', {
    summary: 'The repositories that the connection can see. None without one.',
    answer: data(z.array(GithubRepository)),
    limit: 'message',
  }),
  issues: endpoint('user', 'GET', '/api/github/issues', {
    summary: 'The issue at an address, or the open issues of a repository. None where GitHub does not show them.',
    query: z.object({ url: z.optional(Text(500)), owner: z.optional(Text(100)), repo: z.optional(Text(100)) }),
    answer: data(z.array(GithubIssue)),
    limit: 'message',
  }),
  createIssue: endpoint('user', 'POST', '/api/github/issues', {
    summary: 'Adds an issue to a repository at GitHub.',
    body: z.object({
      owner: FilledText(100),
      repo: FilledText(100),
      issue: z.object({ title: FilledText(256), body: maybe(Text(60_000)) }),
    }),
    answer: data(GithubIssue),
    limit: 'message',
  }),
  webhook: endpoint('signed', 'POST', '/api/github/webhook', {
    summary: 'Takes an event of GitHub, signed with the secret of the app.',
    signature: 'github',
    query: z.object({ account: z.optional(Text(40)) }),
    body: z.looseObject({}),
    answer: Ok,
    body_limit: 5_000_000,
    limit: 'none',
  }),
}
