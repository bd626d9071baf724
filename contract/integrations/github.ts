import * as z from 'zod/mini'
import { AccountAuthorization, Connected, PastedToken } from '../connections/integrations.ts'
import { data, endpoint } from '../endpoint.ts'
import { BooleanInput, FilledText, maybe, Ok, Text } from '../wire.ts'

/** In GitHub's shape; the fields listed here are used by us. */
export const GithubIssue = z.looseObject({
  number: z.int32().check(z.describe('Number in its repository.')),
  title: z.string(),
  body: z.nullish(z.string()),
  state: z.string().check(z.describe('`open` or `closed`.')),
  html_url: z.string().check(z.describe('Page at GitHub.')),
})
export type GithubIssue = z.output<typeof GithubIssue>

/** A repository that the connection can access, in GitHub's shape. */
export const GithubRepository = z.looseObject({
  id: z.int(),
  name: z.string(),
  full_name: z.string(),
  html_url: z.string().check(z.describe('Page at GitHub.')),
  private: z.boolean().check(z.describe('Whether the repository is private.')),
})
export type GithubRepository = z.output<typeof GithubRepository>

/** Settings chosen by admins. */
export const GithubSettings = z.object({
  closes_issues: z
    .boolean()
    .check(z.describe('Whether issues that are done or closed here are closed at GitHub, and reopened with them.')),
})
export type GithubSettings = z.output<typeof GithubSettings>

/** The connection, and how it was made. */
export const GithubAuthorization = z.extend(AccountAuthorization, {
  kind: z.enum(['app', 'token']).check(z.describe('By an installed app, or by a token.')),
  label: z.string().check(z.describe('Name of the GitHub account.')),
  settings: GithubSettings,
})
export type GithubAuthorization = z.output<typeof GithubAuthorization>

/** Calls about GitHub. */
export const github = {
  oauth: endpoint('admin', 'GET', '/api/github/oauth', {
    summary: 'Connects GitHub with an app installation or a code, for clients without a state.',
    query: z.object({
      code: z.optional(Text(4000)),
      installation_id: z.optional(Text(40)).check(z.describe('Id of the app’s installation at GitHub.')),
      setup_action: z.optional(Text(40)).check(z.describe('GitHub’s: `install`, `update` or `request`.')),
    }),
    answer: Connected,
    limit: 'message',
    session_only: true,
  }),
  connect: endpoint('admin', 'POST', '/api/github/auth', {
    summary: 'Connects GitHub with a token, after testing it.',
    body: PastedToken,
    answer: Connected,
    limit: 'message',
    session_only: true,
  }),
  get: endpoint('user', 'GET', '/api/github/authorization', {
    summary: 'Returns the GitHub connection, or null.',
    answer: data(z.nullable(GithubAuthorization)),
  }),
  saveSettings: endpoint('admin', 'PUT', '/api/github/authorizations/:id/settings', {
    summary: 'Updates the settings of the connection.',
    body: z.object({
      settings: z.object({
        closes_issues: BooleanInput.check(
          z.describe('Whether issues that are done or closed here are closed at GitHub, and reopened with them.'),
        ),
      }),
    }),
    answer: data(GithubAuthorization),
  }),
  remove: endpoint('admin', 'DELETE', '/api/github/authorizations/:id', {
    summary: 'Disconnects GitHub and uninstalls the app there.',
    answer: z.null(),
    status: 204,
  }),
  repositories: endpoint('user', 'GET', '/api/github/repos', {
    summary: 'Lists the repositories of the connection; none without one.',
    answer: data(z.array(GithubRepository)),
    limit: 'message',
  }),
  issues: endpoint('user', 'GET', '/api/github/issues', {
    summary: 'Lists the issue at a URL, or the open issues of a repository; none if GitHub does not show them.',
    query: z.object({
      url: z.optional(
        Text(500).check(
          z.meta({ examples: ['https://github.com/acme/shop/issues/7'], description: 'Only the issue at this URL.' }),
        ),
      ),
      owner: z.optional(Text(100)).check(z.describe('User or organisation that owns the repository.')),
      repo: z.optional(Text(100)).check(z.describe('Name of the repository.')),
    }),
    answer: data(z.array(GithubIssue)),
    limit: 'message',
  }),
  createIssue: endpoint('user', 'POST', '/api/github/issues', {
    summary: 'Creates an issue in a GitHub repository.',
    body: z.object({
      owner: FilledText(100).check(z.describe('User or organisation that owns the repository.')),
      repo: FilledText(100).check(z.describe('Name of the repository.')),
      issue: z.object({ title: FilledText(256), body: maybe(Text(60_000)) }),
    }),
    answer: data(GithubIssue),
    limit: 'message',
  }),
  webhook: endpoint('signed', 'POST', '/api/github/webhook', {
    summary: 'Receives an event of GitHub, signed with the secret of the app.',
    signature: 'github',
    query: z.object({
      account: z.optional(Text(40)).check(z.describe('For servers with several accounts: which one is meant.')),
    }),
    body: z.looseObject({}),
    answer: Ok,
    body_limit: 5_000_000,
    limit: 'none',
  }),
}
