import type { Database } from './platform/db/schema.ts'

/**
 * What ends the rows of a table, so that none of them grows without anybody having decided so. The compiler asks for an
 * entry for each table, and a test compares the entries with the database's catalogue.
 */
export type Retention =
  /** A schedule deletes them. */
  | { schedule: string; after: string }
  /** The database deletes them together with a row of another table. */
  | { with: keyof Database }
  /** Writing a new one deletes old ones. */
  | { atMost: string }
  /** They stay until somebody deletes them, because … */
  | { kept: string }

const CONFIGURATION: Retention = { kept: 'The team creates and deletes them; there are as many as it needs.' }
const CONTENT: Retention = {
  kept: 'What people wrote stays until they, or the retention period of their account, delete it.',
}

export const RETENTION = {
  accounts: { kept: 'A company stays until it is closed.' },
  attribute_definitions: CONFIGURATION,
  archived_by_age: { with: 'conversations' },
  audit_entries: { schedule: 'audit.prune', after: '400 days' },
  auth_sessions: { schedule: 'authSessions.pruneExpired', after: '30 days without use' },
  authorization_credentials: { with: 'authorizations' },
  authorizations: { kept: 'Messages of a removed connection still tell where they came from.' },
  billing_accounts: { kept: 'One for each account.' },
  billing_events: { schedule: 'billing.pruneEvents', after: '60 days' },
  browser_sessions: { schedule: 'liveSessions.prune', after: '30 days' },
  companies: CONFIGURATION,
  conversation_moves: { with: 'conversations' },
  conversation_assignments: { with: 'conversations' },
  conversation_ratings: { with: 'conversations' },
  conversation_shares: { with: 'conversations' },
  conversation_waits: { with: 'conversations' },
  conversation_views: CONFIGURATION,
  conversation_tags: { with: 'conversations' },
  conversations: CONTENT,
  customer_filters: CONFIGURATION,
  customer_imports: { schedule: 'customerImports.prune', after: '90 days, unstarted ones one day' },
  customer_issues: { with: 'customers' },
  customer_merges: { schedule: 'customerProfiles.pruneMerges', after: '430 days' },
  customer_notes: { with: 'customers' },
  customer_tags: { with: 'customers' },
  customers: CONTENT,
  deadline_policies: CONFIGURATION,
  deadlines: { with: 'conversations' },
  deliveries: { schedule: 'deliveries.prune', after: '30 days, failed ones 90' },
  drafts: { schedule: 'drafts.pruneEmptied', after: '30 days, once they are empty' },
  email_template_versions: { atMost: '50 for each template' },
  email_templates: CONFIGURATION,
  event_followers: { kept: 'One for each consumer.' },
  event_subscriptions: CONFIGURATION,
  events: { schedule: 'events.prune', after: '7 days, once all consumers have read them' },
  external_identities: { with: 'customers' },
  external_messages: { kept: 'The ids of a message elsewhere, so that it is not received a second time.' },
  external_threads: { with: 'conversations' },
  files: { schedule: 'files.destroyUnused', after: 'a day, if no message uses them' },
  forwarding_addresses: CONFIGURATION,
  function_runs: { atMost: '100 for each function' },
  functions: CONFIGURATION,
  github_issues: { kept: 'One for each issue that was seen at GitHub.' },
  idempotent_requests: { schedule: 'idempotency.prune', after: 'a day' },
  identity_secrets: { with: 'inboxes' },
  inbound_events: { schedule: 'inbound.prune', after: 'two weeks' },
  import_secrets: { with: 'accounts' },
  inboxes: CONFIGURATION,
  installation: { kept: 'A single row.' },
  integration_apps: CONFIGURATION,
  issues: CONFIGURATION,
  leases: { kept: 'One for each connection that stays open, and for each kind of work that one server does.' },
  macros: CONFIGURATION,
  mail_options: { with: 'messages' },
  mail_originals: { schedule: 'conversation-mails.pruneOriginals', after: '30 days' },
  mails: { schedule: 'mails.prune', after: '30 days' },
  mentions: { with: 'messages' },
  message_counts: { kept: 'Some for each conversation; deleted when that is counted out of the reports.' },
  message_files: { with: 'messages' },
  message_mails: { with: 'messages' },
  message_words: { kept: 'The search index; a trigger deletes those of deleted messages.' },
  messages: { with: 'conversations' },
  moved_messages: { schedule: 'merging.pruneMoved', after: '31 days' },
  migrations: { kept: 'One for each version of the schema.' },
  oauth_starts: { schedule: 'authorizations.pruneStarts', after: 'their expiry' },
  one_time_tokens: { schedule: 'authSessions.pruneTokens', after: 'their expiry' },
  page_visits: { atMost: '50 for each customer' },
  personal_api_keys: CONFIGURATION,
  plan_retention: { kept: 'One for each account.' },
  reporting_time_zones: { kept: 'One for each account.' },
  rule_events: { schedule: 'rules.pruneEvents', after: '30 days' },
  rule_runs: { with: 'rule_events' },
  rules: CONFIGURATION,
  saved_replies: CONFIGURATION,
  scheduled_messages: { with: 'conversations' },
  servers: { atMost: 'those that run, and those that ended without notice' },
  spent_renew_tokens: { with: 'auth_sessions' },
  subject_words: { with: 'conversations' },
  tags: CONFIGURATION,
  team_members: { with: 'teams' },
  teams: CONFIGURATION,
  two_factors: { with: 'users' },
  unread_counters: { kept: 'Some for each user, and for the account.' },
  user_availability: { with: 'users' },
  user_identities: { with: 'users' },
  user_invitations: { schedule: 'invitations.prune', after: '30 days from their expiry' },
  user_settings: { with: 'users' },
  users: { kept: 'Messages name their authors, also those who left.' },
  visitor_sessions: {
    schedule: 'customers.pruneVisitorSessions',
    after: 'a year without use, except the last one of each customer',
  },
  webhook_attempts: { with: 'webhook_deliveries' },
  webhook_deliveries: { schedule: 'webhooks.prune', after: 'a week, once they are no longer tried' },
  webhook_secrets: { with: 'event_subscriptions' },
  widget_settings: { with: 'inboxes' },
} satisfies Record<keyof Database, Retention>
