import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Query, readQueries } from './support/queries.ts'

/**
 * Queries that concern more than one account, or that get the condition on the account from another function. Every
 * other query names its account itself, so that another company's id finds nothing, whatever mistake brought it there.
 */
const OTHERS: Record<string, string> = {
  'api-keys/api-keys.ts findByValueHash personal_api_keys': 'who holds the secret is told whose it is',
  'auth-sessions/auth-sessions.ts findUserByEmail users':
    'addresses are unique in the installation, and nothing else is known at sign-in',
  'auth-sessions/auth-sessions.ts selectSessions auth_sessions': 'who holds the secret is told whose it is',
  'auth-sessions/auth-sessions.ts findSessionToEnd auth_sessions': 'who holds the secret is told whose it is',
  'auth-sessions/auth-sessions.ts endSessionOfUsedToken spent_renew_tokens': 'who holds the secret is told whose it is',
  'auth-sessions/auth-sessions.ts pruneExpiredSessions auth_sessions': 'looks after all accounts at once',
  'auth-sessions/oidc.ts signInOrJoin user_identities': 'the sign-in service names a person, and nothing else is known',
  'auth-sessions/one-time-tokens.ts redeemOneTimeToken one_time_tokens': 'who holds the secret is told whose it is',
  'auth-sessions/one-time-tokens.ts pruneTokens one_time_tokens': 'looks after all accounts at once',
  'authorizations/connect.ts assertNotConnectedElsewhere authorizations':
    'an address is taken in the whole installation',
  'authorizations/live-connections.ts listWantedConnections authorizations': 'looks after all accounts at once',
  'authorizations/authorizations.ts findByAddress authorizations':
    'an event tells nothing but the address, which is unique in the installation',
  'authorizations/oauth-starts.ts findStart oauth_starts': 'who holds the secret is told whose it is',
  'authorizations/oauth-starts.ts pruneStarts oauth_starts': 'looks after all accounts at once',
  'authorizations/polling.ts pollAll authorizations': 'looks after all accounts at once',
  'billing/accounts.ts findAccountOfCustomer billing_accounts': 'Stripe names its customer, and nothing else is known',
  'billing/ending.ts endGrace billing_accounts': 'looks after all accounts at once',
  'billing/ending.ts syncEverybody billing_accounts': 'looks after all accounts at once',
  'billing/plan-retention.ts listPlanRetention plan_retention': 'looks after all accounts at once',
  'billing/webhook.ts pruneBillingEvents billing_events': 'looks after all accounts at once',
  'live-sessions/finishing.ts pruneSessions browser_sessions': 'looks after all accounts at once',
  'live-sessions/finishing.ts listRecentSessions browser_sessions': 'looks after all accounts at once',
  'live-sessions/recorder-sessions.ts findByToken browser_sessions': 'who holds the secret is told whose it is',
  'live-sessions/recorder-sessions.ts findRecorderSession browser_sessions':
    'recorders know the id alone; it, or the token beside it, is their secret',
  'conversations/customer-channel.ts findAccountOf customers':
    'old clients send the id alone; who may join is decided from what is found',
  'conversations/conversations.ts findConversationById conversations':
    'old clients send the id alone; who may see it is decided by the caller',
  'conversations/sharing.ts openShare conversation_shares': 'who holds the secret is told whose it is',
  'conversations/snoozing.ts wakeDueConversations conversations': 'looks after all accounts at once',
  'conversations/restoring-history.ts restoreBatch archived_by_age': 'looks after all accounts at once',
  'customer-imports/imports.ts pruneUnstartedImports customer_imports': 'looks after all accounts at once',
  'customers/find-or-create-customer.ts startVisitorSession customers': 'an id is taken in the whole installation',
  'customers/find-or-create-customer.ts startVisitorSession visitor_sessions':
    'who holds the secret is told whose it is',
  'customers/customers.ts resolveCustomer customers':
    'old clients send the id alone; with an account it looks there only',
  'customers/visitor-sessions.ts findByTokenHash visitor_sessions': 'who holds the secret is told whose it is',
  'deliveries/deliveries.ts pruneDeliveries deliveries': 'looks after all accounts at once',
  'drafts/drafts.ts pruneEmptiedDrafts drafts': 'looks after all accounts at once',
  'webhooks/deliveries.ts pruneDeliveries webhook_deliveries': 'looks after all accounts at once',
  'events/event-log.ts replaceInLog events': 'a function beside it names the account',
  'events/event-log.ts removeFromLog events': 'a function beside it names the account',
  'events/event-log.ts pruneEvents events': 'looks after all accounts at once',
  'events/event-log.ts renumberLog events': 'looks after all accounts at once',
  'files/files.ts destroyUnusedBatch files': 'looks after all accounts at once',
  'files/files.ts findFile files': 'the address of a file is its secret',
  'forwarding-addresses/forwarding-addresses.ts findByAddress forwarding_addresses':
    'a mail tells nothing but the address, which is unique in the installation',
  'idempotency/idempotency.ts pruneRequests idempotent_requests': 'looks after all accounts at once',
  'inboxes/widget-settings.ts updateWidgetSettings widget_settings': 'a function beside it names the account',
  'invitations/invitations.ts selectOpen user_invitations': 'who holds the secret is told whose it is',
  'invitations/mailed-invitations.ts assertNotTaken users':
    'addresses are unique in the installation, and nothing else is known of whoever is invited',
  'mails/unsent-mails.ts sendFreshMails mails': 'looks after all accounts at once',
  'mails/mails.ts pruneMails mails': 'looks after all accounts at once',
  'notifications/enqueue-notifications.ts mentionsIn mentions': 'a function beside it names the account',
}

/** Tables whose rows belong to no account, or are the accounts themselves. */
const WITHOUT = ['accounts', 'event_followers', 'installation', 'leases', 'servers', '?']

test('every query names its account, and every join joins within it', () => {
  const queries: Query[] = globSync('server/features/**/*.ts')
    .filter((file) => !file.endsWith('.test.ts'))
    .sort()
    .flatMap((file) => readQueries(file, readFileSync(file, 'utf8')))
  expect(queries.length).toBeGreaterThan(200)
  const broad = queries.filter(({ namesAccount, table }) => !namesAccount && !WITHOUT.includes(table))
  const named = broad.map(
    ({ file, within, table }) => `${file.replace(/^server\/features\/[^/]+\//, '')} ${within} ${table}`,
  )
  expect([...new Set(named)].sort()).toEqual(Object.keys(OTHERS).sort())
})
