import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { FilledText, Id, maybe, Text } from '../wire.ts'
import { IntegrationName } from './integrations.ts'

/** The part of an integration, if it has several: `personal` is the Gmail mailbox of one person. */
export const OAuthType = z.enum(['support', 'personal'])
export type OAuthType = z.output<typeof OAuthType>

/** Vendors whose consent page needs an app. */
export const AppVendor = z.enum(['slack', 'google', 'hubspot', 'intercom'])
export type AppVendor = z.output<typeof AppVendor>

/** The app that asks for consent at a vendor, without its secret. */
export const IntegrationApp = z.object({
  object: z.literal('integration_app'),
  vendor: AppVendor.check(z.describe('Such as `slack` or `google`.')),
  source: z
    .nullable(z.enum(['account', 'server']))
    .check(z.describe('Who set it up: an admin of the account, the operator of this server, or nobody.')),
  client_id: z.nullable(z.string()).check(z.describe('Id of the app at the vendor.')),
  client_secret: z
    .nullable(z.string())
    .check(z.describe('Secret of the app at the vendor. Send the mask back to keep it.')),
  signing_secret: z
    .nullable(z.string())
    .check(z.describe('The last characters of the secret that verifies Slack’s calls.')),
  redirect_uri: z.string().check(z.describe('The redirect address to register at the vendor.')),
})
export type IntegrationApp = z.output<typeof IntegrationApp>

const IntegrationAppDraft = z.object({
  client_id: FilledText(300).check(z.describe('Id of the app at the vendor.')),
  client_secret: maybe(Text(1000)).check(z.describe('Secret of the app at the vendor. Send the mask back to keep it.')),
  signing_secret: maybe(Text(1000)).check(z.describe('Used by Slack only, to verify its calls.')),
})
export type IntegrationAppDraft = z.output<typeof IntegrationAppDraft>

/** Connecting through a vendor's consent page. */
export const oauth = {
  start: endpoint('user', 'POST', '/api/oauth/starts', {
    summary:
      'Starts connecting through a vendor’s consent page: the browser opens `url` and returns with `state`, within ten minutes.',
    body: z.object({
      integration: IntegrationName.check(z.describe('The integration it belongs to, such as `slack`.')),
      inbox_id: maybe(Id),
      type: z.optional(OAuthType).check(z.describe('For Gmail: the user’s own mailbox, or one of an inbox.')),
    }),
    answer: data(
      z.object({
        url: z.string().check(z.describe('The vendor’s consent page.')),
        state: z.string().check(z.describe('Comes back from the vendor with the code.')),
      }),
    ),
    limit: 'message',
    session_only: true,
  }),
  finish: endpoint('user', 'POST', '/api/oauth/returns', {
    summary: 'Finishes connecting with the parameters from the consent page, in the session that started it.',
    body: z.object({
      state: FilledText(200).check(z.describe('As returned when the connection was begun.')),
      code: maybe(Text(4000)).check(z.describe('The vendor’s code.')),
      scope: maybe(Text(4000)).check(z.describe('What the vendor allows.')),
      error: maybe(Text(300)),
      error_description: maybe(Text(1000)).check(z.describe('The vendor’s explanation of `error`.')),
      installation_id: maybe(Text(40)).check(z.describe('Of an app installed at GitHub.')),
      setup_action: maybe(Text(40)).check(z.describe('GitHub’s: `install`, `update` or `request`.')),
    }),
    answer: data(
      z.object({
        ok: z.boolean(),
        id: z.nullable(z.string()).check(z.describe('Null if the vendor needs one more page: start again.')),
        integration: IntegrationName.check(z.describe('The integration it belongs to, such as `slack`.')),
        type: OAuthType.check(z.describe('For Gmail: the user’s own mailbox, or one of an inbox.')),
        inbox_id: z.nullable(z.string()),
      }),
    ),
    limit: 'message',
    session_only: true,
  }),
}

/** The apps of an account at vendors. */
export const integrationApps = {
  get: endpoint('admin', 'GET', '/api/integration_apps/:vendor', {
    summary: 'Returns the account’s OAuth app at a vendor, without its secrets.',
    params: z.object({ vendor: AppVendor }),
    answer: data(IntegrationApp),
  }),
  save: endpoint('admin', 'PUT', '/api/integration_apps/:vendor', {
    summary: 'Sets the account’s OAuth app at a vendor. Masked secrets keep the stored ones.',
    params: z.object({ vendor: AppVendor }),
    body: z.object({ app: IntegrationAppDraft }),
    answer: data(IntegrationApp),
    session_only: true,
  }),
  remove: endpoint('admin', 'DELETE', '/api/integration_apps/:vendor', {
    summary: 'Deletes the account’s OAuth app at a vendor. Its connections can no longer be renewed.',
    params: z.object({ vendor: AppVendor }),
    answer: z.null(),
    status: 204,
    session_only: true,
  }),
}
