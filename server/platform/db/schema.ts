// Written by `npm run schema` from the migrated database. Do not edit: change the tables by a migration.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { JsonText } from './to-json.ts'

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }
// Written as text, because the driver would turn a JavaScript array into a PostgreSQL array.
type Json = ColumnType<JsonValue, JsonText, JsonText>
type JsonWithDefault = ColumnType<JsonValue, JsonText | undefined, JsonText>
type JsonOrNull = ColumnType<JsonValue | null, JsonText | null | undefined, JsonText | null>

interface AccountsTable {
  id: string
  company_name: string
  company_logo_url: string | null
  time_zone: string | null
  subscription_plan: Generated<'starter' | 'lite' | 'team'>
  settings: JsonWithDefault
  working_hours: JsonWithDefault
  created_at: Generated<string>
  updated_at: Generated<string>
  suspended_at: string | null
  is_operator: Generated<boolean>
  closed_days: JsonWithDefault
}

interface ArchivedByAgeTable {
  account_id: string
  conversation_id: string
}

interface ArticleCollectionsTable {
  account_id: string
  id: string
  position: number
  slug: string
  icon: Generated<string>
  texts: Json
  created_at: Generated<string>
  updated_at: Generated<string>
  parent_id: string | null
}

interface ArticleFilesTable {
  account_id: string
  article_id: string
  language: string
  file_id: string
  is_public: boolean
}

interface ArticleReadsTable {
  account_id: string
  reader: Buffer
  article_id: string
  language: string
  read_at: Generated<string>
}

interface ArticleRevisionsTable {
  account_id: string
  id: string
  article_id: string
  language: string
  number: number
  title: string
  summary: string
  body: string
  user_id: number | null
  created_at: Generated<string>
}

interface ArticleSlugsTable {
  account_id: string
  language: string
  slug: string
  article_id: string
  created_at: Generated<string>
}

interface ArticleTranslationsTable {
  account_id: string
  article_id: string
  language: string
  title: string
  summary: Generated<string>
  body: string
  slug: string
  is_slug_chosen: Generated<boolean>
  version: Generated<number>
  updated_by: number | null
  updated_at: Generated<string>
  words: GeneratedAlways<string>
}

interface ArticleVotesTable {
  account_id: string
  article_id: string
  reader: Buffer
  language: string
  is_helpful: boolean
  comment: string | null
  created_at: Generated<string>
}

interface ArticlesTable {
  account_id: string
  id: string
  collection_id: string | null
  position: Generated<number>
  author_id: number | null
  archived_at: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface AssistantGrantsTable {
  account_id: string
  id: string
  user_id: number
  client_id: string
  client_name: string
  redirect_host: string
  scopes: string[]
  code_hash: Buffer | null
  code_expires_at: string | null
  code_challenge: string | null
  redirect_uri: string | null
  access_hash: Buffer | null
  access_expires_at: string | null
  refresh_hash: Buffer | null
  earlier_refresh_hash: Buffer | null
  renewed_at: string | null
  created_at: Generated<string>
  last_used_at: string | null
}

interface AssistantSettingsTable {
  account_id: string
  is_enabled: Generated<boolean>
  may_send: Generated<boolean>
}

interface AttributeDefinitionsTable {
  account_id: string
  id: string
  subject: 'customer' | 'conversation'
  key: string
  name: string
  kind: 'text' | 'number' | 'date' | 'yes_no' | 'choice' | 'link'
  choices: Generated<string[]>
  position: number
  description: string | null
  team_only: Generated<boolean>
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface AuditEntriesTable {
  account_id: string
  id: string
  action: string
  user_id: number | null
  subject_id: string | null
  subject_name: string | null
  details: JsonWithDefault
  address: string | null
  created_at: Generated<string>
}

interface AuthSessionsTable {
  account_id: string
  id: string
  user_id: number
  access_hash: Buffer
  access_expires_at: string
  renew_hash: Buffer
  renew_expires_at: string
  user_agent: string | null
  address: string | null
  created_at: Generated<string>
  renewed_at: Generated<string>
}

interface AuthorizationCredentialsTable {
  account_id: string
  authorization_id: string
  encrypted: Buffer
}

interface AuthorizationsTable {
  account_id: string
  id: string
  integration: string
  inbox_id: string | null
  user_id: number | null
  slot: Generated<string>
  label: string
  address: string | null
  scope: string | null
  token_type: string | null
  settings: JsonWithDefault
  cursor: JsonOrNull
  state: Generated<'connected' | 'broken'>
  way_in: Generated<'live' | 'polled' | 'called' | 'looked_up' | 'none'>
  last_in_at: string | null
  last_out_at: string | null
  last_ok_at: string | null
  problem: string | null
  problem_at: string | null
  failures: Generated<number>
  paused_until: string | null
  removed_at: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
  connected_at: Generated<string>
  receiving_failures: Generated<string[]>
  receiving_problem: string | null
  receiving_problem_at: string | null
  notice: string | null
  notice_at: string | null
}

interface BillingAccountsTable {
  account_id: string
  stripe_customer: string | null
  attempt: Generated<number>
  attempted_at: string | null
  last_reading: Generated<number>
  stored_reading: Generated<number>
  subscription: JsonOrNull
  product: JsonOrNull
  payment_method: JsonOrNull
  payment_url: string | null
  had_trial: Generated<boolean>
  payment_failed_at: string | null
  grace_until: string | null
  read_at: string | null
}

interface BillingEventsTable {
  account_id: string
  id: string
  type: string
  received_at: Generated<string>
}

interface BrowserSessionsTable {
  account_id: string
  id: string
  customer_id: string | null
  token_hash: Buffer | null
  metadata: JsonOrNull
  started_at: Generated<string>
  finished_at: string | null
  absent_since: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface CompaniesTable {
  account_id: string
  id: string
  name: string
  description: string | null
  website_url: string | null
  external_id: string | null
  logo_image_url: string | null
  industry: string | null
  slack_channel_id: string | null
  slack_channel_name: string | null
  slack_team_id: string | null
  slack_team_name: string | null
  metadata: JsonOrNull
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface ConversationAssignmentsTable {
  account_id: string
  conversation_id: string
  id: string
  user_id: number | null
  from_user_id: number | null
  by_user_id: number | null
  reason: 'by_hand' | 'in_turn' | 'least_open' | 'given_back' | 'absent' | 'reopened'
  open_count: number | null
  open_limit: number | null
  created_at: Generated<string>
}

interface ConversationMovesTable {
  account_id: string
  id: string
  kind: 'merge' | 'split'
  from_id: string
  to_id: string
  user_id: number | null
  before: Json
  created_at: Generated<string>
  undone_at: string | null
}

interface ConversationRatingsTable {
  account_id: string
  id: string
  conversation_id: string
  user_id: number | null
  score: number
  comment: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface ConversationSharesTable {
  account_id: string
  id: string
  conversation_id: string
  created_by: number | null
  token_hash: Buffer
  created_at: Generated<string>
  expires_at: string
  revoked_at: string | null
}

interface ConversationTagsTable {
  account_id: string
  conversation_id: string
  tag_id: string
  created_at: Generated<string>
}

interface ConversationViewsTable {
  account_id: string
  id: string
  name: string
  user_id: number | null
  position: number
  conditions: Json
  sort: Generated<'activity' | 'due'>
  reads_waits: Generated<boolean>
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface ConversationWaitsTable {
  account_id: string
  conversation_id: string
  waiting_for: 'team' | 'customer'
  since: string
}

interface ConversationsTable {
  account_id: string
  id: string
  customer_id: string
  inbox_id: string
  assignee_id: number | null
  source: Generated<'chat' | 'slack' | 'email' | 'sms' | 'telegram' | 'whatsapp' | 'api' | 'sandbox'>
  subject: string | null
  status: Generated<'open' | 'closed'>
  priority: Generated<'not_priority' | 'priority'>
  read: Generated<boolean>
  metadata: JsonOrNull
  created_at: Generated<string>
  updated_at: Generated<string>
  last_activity_at: Generated<string>
  closed_at: string | null
  archived_at: string | null
  first_replied_at: string | null
  last_number: Generated<number>
  version: Generated<number>
  unseen_mention_user_ids: Generated<number[]>
  snoozed_at: string | null
  snoozed_until: string | null
  visitor_session_id: string | null
  reply_email: string | null
  unproven: JsonOrNull
  closed_by_id: number | null
  team_id: string | null
  due_at: string | null
  due_kind: 'first_reply' | 'next_reply' | 'resolution' | null
  due_started_at: string | null
  follow_up: JsonOrNull
  merged_into: string | null
  reply_until: string | null
  assistant: 'answering' | 'helped' | 'handed_over' | 'reopened' | null
  possible_opt_out_at: string | null
}

interface CustomerFiltersTable {
  account_id: string
  id: string
  name: string
  query: Json
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface CustomerImportsTable {
  account_id: string
  id: string
  user_id: number
  filename: string
  content: string | null
  columns: string[]
  mapping: JsonOrNull
  status: Generated<'waiting' | 'running' | 'done'>
  rows_total: number
  rows_done: Generated<number>
  created_count: Generated<number>
  updated_count: Generated<number>
  failed_count: Generated<number>
  errors: JsonWithDefault
  created_at: Generated<string>
  updated_at: Generated<string>
  encoding: string | null
}

interface CustomerIssuesTable {
  account_id: string
  customer_id: string
  issue_id: string
  created_at: Generated<string>
}

interface CustomerMergesTable {
  account_id: string
  id: string
  customer_id: string
  merged_id: string
  user_id: number | null
  moved: Json
  created_at: Generated<string>
  undone_at: string | null
}

interface CustomerNotesTable {
  account_id: string
  id: string
  customer_id: string
  author_id: number
  body: string
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface CustomerTagsTable {
  account_id: string
  customer_id: string
  tag_id: string
  created_at: Generated<string>
  last_seen_at: string | null
  has_email: Generated<boolean>
}

interface CustomersTable {
  account_id: string
  id: string
  name: string | null
  email: string | null
  phone: string | null
  external_id: string | null
  profile_photo_url: string | null
  first_seen: Generated<string>
  last_seen_at: Generated<string>
  ip: string | null
  time_zone: string | null
  host: string | null
  pathname: string | null
  current_url: string | null
  browser: string | null
  browser_version: string | null
  browser_language: string | null
  os: string | null
  screen_height: number | null
  screen_width: number | null
  lib: string | null
  metadata: JsonWithDefault
  created_at: Generated<string>
  updated_at: Generated<string>
  company_id: string | null
  blocked_at: string | null
  merged_into: string | null
  deleted_at: string | null
  words: GeneratedAlways<string>
  identity_proven_at: string | null
  unsubscribed_at: string | null
  origin: Generated<'browser' | 'team' | 'import' | 'proof' | 'mail' | 'test'>
  field_sources: JsonWithDefault
  claimed_external_id: string | null
  claimed_customer_id: string | null
  complained_at: string | null
}

interface DeadlinePoliciesTable {
  account_id: string
  id: string
  name: string
  position: number
  is_active: Generated<boolean>
  inbox_ids: Generated<string[]>
  tag_ids: Generated<string[]>
  priority: 'not_priority' | 'priority' | null
  first_reply_minutes: number | null
  next_reply_minutes: number | null
  resolution_minutes: number | null
  in_working_hours: Generated<boolean>
  pauses_while_waiting: Generated<boolean>
  warn_minutes: number | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface DeadlinesTable {
  account_id: string
  id: string
  conversation_id: string
  kind: 'first_reply' | 'next_reply' | 'resolution'
  policy_id: string | null
  policy_name: string | null
  target_seconds: number | null
  warn_seconds: number | null
  in_working_hours: Generated<boolean>
  pauses_while_waiting: Generated<boolean>
  started_at: string
  used_seconds: Generated<number>
  resumed_at: string | null
  is_snoozed: Generated<boolean>
  is_waiting: Generated<boolean>
  due_at: string | null
  warn_at: string | null
  warned_at: string | null
  broken_at: string | null
  done_at: string | null
  cancelled_at: string | null
}

interface DeliveriesTable {
  account_id: string
  id: string
  number: GeneratedAlways<number>
  integration: string
  authorization_id: string | null
  queue: string
  conversation_id: string | null
  message_id: string | null
  kind: 'post' | 'edit' | 'remove' | 'status' | 'test'
  payload: JsonWithDefault
  state: Generated<'waiting' | 'sent' | 'failed' | 'dropped'>
  tries: Generated<number>
  begun_at: Generated<string>
  not_before: Generated<string>
  taken_until: string | null
  is_unsure: Generated<boolean>
  problem: string | null
  sent_at: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
  request_id: string | null
  delivered_at: string | null
}

interface DraftsTable {
  account_id: string
  user_id: number
  conversation_id: string
  body: string
  type: 'reply' | 'note'
  mentioned_user_ids: Generated<number[]>
  file_ids: Generated<string[]>
  revision: number
  updated_at: Generated<string>
  original_body: string | null
}

interface EmailTemplateVersionsTable {
  account_id: string
  id: string
  seq: GeneratedAlways<number>
  kind: string
  subject: string
  body: string
  color: string
  user_id: number | null
  created_at: Generated<string>
}

interface EmailTemplatesTable {
  account_id: string
  kind: string
  version_id: string
  failed_at: string | null
  failure: string | null
}

interface EventFollowersTable {
  name: string
  xid: string
  id: Generated<number>
}

interface EventSubscriptionsTable {
  account_id: string
  id: string
  webhook_url: string
  verified: Generated<boolean>
  events: string[]
  failing_since: string | null
  switched_off_at: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface EventsTable {
  account_id: string
  xid: Generated<string>
  id: GeneratedAlways<number>
  customer_id: string | null
  event: Json
  created_at: Generated<string>
  request_id: string | null
}

interface ExternalIdentitiesTable {
  account_id: string
  id: string
  integration: string
  external_id: string
  customer_id: string | null
  user_id: number | null
  name: string | null
  email: string | null
  photo: string | null
  fetched_at: string | null
  created_at: Generated<string>
  unsubscribed_at: string | null
}

interface ExternalMessagesTable {
  account_id: string
  authorization_id: string
  place: Generated<string>
  external_id: string
  message_id: string | null
  direction: 'in' | 'out'
  created_at: Generated<string>
}

interface ExternalThreadsTable {
  account_id: string
  id: string
  authorization_id: string
  conversation_id: string
  role: 'origin' | 'mirror'
  place: Generated<string>
  thread: string
  permalink: string | null
  created_at: Generated<string>
  shown_status: string | null
}

interface FilesTable {
  account_id: string
  id: string
  key: string
  filename: string
  content_type: string
  size: number
  user_id: number | null
  customer_id: string | null
  created_at: Generated<string>
  attached_at: string | null
  width: number | null
  height: number | null
  made_from: string | null
  made_as: string | null
}

interface FirstAnswersTable {
  account_id: string
  message_id: string
  answer_id: string | null
  kind: 'answer' | 'asked_back' | 'handed_over' | 'helped'
  reason: string | null
  articles: JsonWithDefault
  created_at: Generated<string>
}

interface ForwardingAddressesTable {
  account_id: string
  id: string
  inbox_id: string | null
  forwarding_email_address: string
  source_email_address: string
  description: string | null
  takes_lists: Generated<boolean>
  verified_at: string | null
  last_in_at: string | null
  confirmation: JsonOrNull
  created_at: Generated<string>
  updated_at: Generated<string>
  takes_forms: Generated<boolean>
}

interface FunctionRunsTable {
  account_id: string
  id: string
  seq: GeneratedAlways<number>
  function_id: string
  event: string
  is_test: Generated<boolean>
  customer_id: string | null
  conversation_id: string | null
  message_id: string | null
  state: Generated<'queued' | 'running' | 'succeeded' | 'failed'>
  payload: JsonOrNull
  result: JsonOrNull
  error: JsonOrNull
  logs: JsonWithDefault
  duration_ms: number | null
  leased_until: string | null
  created_at: Generated<string>
  started_at: string | null
  request_id: string | null
  depth: Generated<number>
  left_out: number | null
}

interface FunctionsTable {
  account_id: string
  id: string
  name: string
  description: string | null
  code: Generated<string>
  language: Generated<string>
  runtime: Generated<string>
  metadata: JsonOrNull
  events: Generated<string[]>
  status: Generated<'pending' | 'active' | 'inactive'>
  creator_id: number | null
  deployed_code: string | null
  modules: JsonWithDefault
  last_deployed_at: string | null
  last_executed_at: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface GithubIssuesTable {
  account_id: string
  repository: string
  number: number
  state: 'open' | 'closed'
  updated_at: string
}

interface HelpCentersTable {
  account_id: string
  name: string
  slug: string
  is_published: Generated<boolean>
  is_indexed: Generated<boolean>
  default_language: string
  languages: string[]
  color: Generated<string>
  logo_file_id: string | null
  domain: string | null
  contact_email: string | null
  contact_url: string | null
  legal_links: JsonWithDefault
  version: Generated<number>
  updated_at: Generated<string>
  domain_verified_at: string | null
}

interface HelpGapsTable {
  account_id: string
  id: string
  kind: 'no_hits' | 'not_helpful' | 'read_then_wrote'
  language: string
  words: string | null
  article_id: string | null
  count: Generated<number>
  state: Generated<'open' | 'done' | 'ignored'>
  last_at: Generated<string>
}

interface IdempotentRequestsTable {
  account_id: string
  id: string
  user_id: number
  key_hash: Buffer
  request_hash: Buffer
  created_at: Generated<string>
  status: number | null
  answer: Buffer | null
}

interface IdentitySecretsTable {
  account_id: string
  id: string
  inbox_id: string
  sealed: Buffer
  hint: string
  created_at: Generated<string>
  retires_at: string | null
}

interface ImportSecretsTable {
  account_id: string
  product: string
  secret: Buffer
  created_at: Generated<string>
}

interface InboundEventsTable {
  account_id: string
  id: string
  seq: GeneratedAlways<number>
  authorization_id: string | null
  integration: string
  key: string
  queue: string
  payload: JsonOrNull
  file_key: string | null
  state: Generated<'waiting' | 'done' | 'ignored' | 'failed'>
  reason: string | null
  tries: Generated<number>
  not_before: Generated<string>
  taken_until: string | null
  failing_since: string | null
  customer_id: string | null
  conversation_id: string | null
  message_id: string | null
  created_at: Generated<string>
  request_id: string | null
  workers_killed: Generated<number>
}

interface InboxesTable {
  account_id: string
  id: string
  name: string
  description: string | null
  slug: string | null
  is_primary: Generated<boolean>
  is_private: Generated<boolean>
  requires_signed_identity: Generated<boolean>
  created_at: Generated<string>
  updated_at: Generated<string>
  team_id: string | null
  working_hours: JsonOrNull
  sender_name: string | null
  mail_signature: string | null
  rating_mail_hours: number | null
  first_answers: Generated<'never' | 'outside_working_hours' | 'nobody_there' | 'always'>
}

interface InstallationTable {
  is_only: Generated<boolean>
  key_id: string
  base_url: string | null
  backed_up_at: string | null
  mail_in: JsonOrNull
  id: Generated<string>
}

interface IntegrationAppsTable {
  account_id: string
  vendor: string
  encrypted: Buffer
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface IssuesTable {
  account_id: string
  id: string
  title: string
  body: string | null
  state: Generated<'unstarted' | 'in_progress' | 'in_review' | 'done' | 'closed'>
  github_issue_url: string | null
  creator_id: number | null
  assignee_id: number | null
  finished_at: string | null
  closed_at: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface LanguageModelUsageTable {
  account_id: string
  id: string
  month: string
  user_id: number | null
  purpose: string
  requests: number
  tokens_in: number
  tokens_out: number
}

interface LanguageModelsTable {
  account_id: string
  base_url: string
  model: string
  api_key: Buffer | null
  is_enabled: boolean
  tokens_per_month: number
  requests_per_hour: number
  reads_notes: boolean
  refused_parameters: Generated<string[]>
}

interface LeasesTable {
  name: string
  holder: string
  held_until: string
}

interface MacrosTable {
  account_id: string
  id: string
  name: string
  user_id: number | null
  content: Generated<string>
  actions: Json
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface MailOptionsTable {
  account_id: string
  message_id: string
  conversation_id: string
  recipients: string[] | null
  cc: string[] | null
  bcc: string[] | null
  subject: string | null
  quotes: boolean | null
}

interface MailOriginalsTable {
  account_id: string
  message_id: string
  customer_id: string | null
  key: string
  size: number
  created_at: Generated<string>
}

interface MailsTable {
  account_id: string
  id: string
  kind: string
  recipient: string
  from_name: string | null
  reply_to: string | null
  subject: string
  text: string
  html: string
  headers: JsonWithDefault
  created_at: Generated<string>
  sent_at: string | null
  failed_at: string | null
  failure: string | null
  sending_until: string | null
  tries: Generated<number>
  message_id: string | null
  authorization_id: string | null
  cc: Generated<string[]>
  kept_at: string | null
}

interface MentionsTable {
  account_id: string
  id: string
  conversation_id: string
  message_id: string
  user_id: number
  seen_at: string | null
  created_at: Generated<string>
}

interface MessageCountsTable {
  account_id: string
  day: string
  hour: number
  conversation_id: string
  author: number
  messages: number
}

interface MessageFilesTable {
  account_id: string
  message_id: string
  file_id: string
  position: number
}

interface MessageMailsTable {
  account_id: string
  message_id: string
  conversation_id: string
  authorization_id: string | null
  direction: 'in' | 'out'
  verdict: Generated<'person' | 'automatic' | 'list' | 'bounce'>
  message_header: string | null
  in_reply_to: Generated<string[]>
  refs: Generated<string[]>
  subject: string
  from_address: string | null
  from_name: string | null
  proof: 'pass' | 'fail' | 'none' | null
  answer_to: string | null
  recipients: Generated<string[]>
  cc: Generated<string[]>
  bcc: Generated<string[]>
  html: string | null
  gmail_thread: string | null
  bounced_at: string | null
  bounce_is_final: boolean | null
  bounce_reason: string | null
  created_at: Generated<string>
  split_from: string | null
}

interface MessageTranslationsTable {
  account_id: string
  message_id: string
  language: string
  body: string
  is_original: Generated<boolean>
  missing: Generated<string[]>
  created_at: Generated<string>
}

interface MessageWordsTable {
  account_id: string
  message_id: string
  conversation_id: string
  user_id: number | null
  customer_id: string | null
  created_at: string
  words: string
}

interface MessagesTable {
  account_id: string
  id: string
  conversation_id: string
  number: number
  body: string | null
  type: Generated<'reply' | 'note' | 'bot'>
  content_type: Generated<string>
  private: Generated<boolean>
  source: Generated<'chat' | 'slack' | 'mattermost' | 'email' | 'sms' | 'telegram' | 'whatsapp' | 'api' | 'sandbox'>
  customer_id: string | null
  user_id: number | null
  metadata: JsonOrNull
  sent_at: string | null
  seen_at: string | null
  created_at: string
  template: JsonOrNull
  edited_at: string | null
  email_subject: string | null
  email_html: string | null
  external_author: string | null
  by_assistant: boolean | null
  language: string | null
}

interface MigrationsTable {
  name: string
  sha256: string
  applied_at: Generated<string>
}

interface MovedMessagesTable {
  account_id: string
  move_id: string
  message_id: string
  conversation_id: string
  number: number
  created_at: Generated<string>
}

interface OauthStartsTable {
  account_id: string
  state_hash: Buffer
  user_id: number
  session_id: string
  integration: string
  type: string
  inbox_id: string | null
  expires_at: string
  created_at: Generated<string>
}

interface OneTimeTokensTable {
  account_id: string
  id: string
  user_id: number
  purpose: 'verification' | 'password_reset' | 'sign_in'
  token_hash: Buffer
  created_at: Generated<string>
  expires_at: string
  used_at: string | null
}

interface PageVisitsTable {
  account_id: string
  customer_id: string
  created_at: Generated<string>
  url: string
}

interface PersonalApiKeysTable {
  account_id: string
  id: string
  user_id: number
  label: string
  value_hash: Buffer
  value: Buffer
  hint: string
  scope: Generated<'read' | 'everything' | 'function'>
  created_at: Generated<string>
  last_used_at: string | null
  expires_at: string | null
  function_id: string | null
  new_in_session: string | null
}

interface PlanRetentionTable {
  account_id: string
  days: number | null
  next_days: number | null
  next_at: string | null
}

interface PublishedArticlesTable {
  account_id: string
  article_id: string
  language: string
  revision_id: string
  version: number
  slug: string
  title: string
  summary: string
  html: string
  text: string
  first_published_at: Generated<string>
  published_at: Generated<string>
  words: GeneratedAlways<string>
  title_words: GeneratedAlways<string>
}

interface PushAlertsTable {
  account_id: string
  id: string
  user_id: number
  conversation_id: string
  kind: 'message' | 'mention' | 'assigned' | 'deadline_warned' | 'deadline_broken'
  message_id: string | null
  messages: Generated<number>
  due_at: string
  created_at: Generated<string>
  notification_id: string | null
}

interface PushDevicesTable {
  account_id: string
  id: string
  user_id: number
  auth_session_id: string
  endpoint_hash: Buffer
  subscription: Buffer
  push_service: string
  user_agent: string | null
  language: string | null
  created_at: Generated<string>
  last_success_at: string | null
  problem: string | null
  problem_at: string | null
}

interface PushKeysTable {
  is_only: Generated<boolean>
  keys: Buffer
  created_at: Generated<string>
}

interface PushSettingsTable {
  account_id: string
  user_id: number
  about: Generated<string[]>
  muted_inbox_ids: Generated<string[]>
  quiet_from: string | null
  quiet_until: string | null
  time_zone: Generated<string>
  shows_text: Generated<boolean>
  mail_after_minutes: number | null
}

interface ReportingTimeZonesTable {
  account_id: string
  time_zone: string
  is_counted: Generated<boolean>
  chosen_time_zone: string | null
}

interface RuleEventsTable {
  account_id: string
  id: string
  conversation_id: string
  trigger: string
  message_id: string | null
  rule_id: string | null
  state: Json
  depth: number
  caused_by: string | null
  caused_by_rule: string | null
  seq: GeneratedAlways<number>
  created_at: Generated<string>
}

interface RuleRunsTable {
  account_id: string
  event_id: string
  rule_id: string
  rule_name: string
  position: number
  conversation_id: string
  state: Generated<'waiting' | 'done' | 'failed'>
  actions: Json
  effects: JsonWithDefault
  answered_at: string | null
  created_at: Generated<string>
}

interface RulesTable {
  account_id: string
  id: string
  name: string
  position: number
  is_on: Generated<boolean>
  trigger: Json
  conditions: Json
  actions: Json
  stops: Generated<boolean>
  problem: 'target' | 'loop' | 'chain' | null
  created_by_id: number | null
  swept_until: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
  switched_on_at: Generated<string>
}

interface SavedRepliesTable {
  account_id: string
  id: string
  name: string
  content: string
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface ScheduledMessagesTable {
  account_id: string
  id: string
  conversation_id: string
  user_id: number
  body: string
  file_ids: Generated<string[]>
  mail: JsonOrNull
  send_at: string
  is_undo: Generated<boolean>
  if_answered: Generated<'hold' | 'send'>
  closes: Generated<boolean>
  remind_minutes: number | null
  last_seen_number: number
  held_reason: string | null
  created_at: Generated<string>
  original_body: string | null
}

interface ServersTable {
  id: string
  name: string
  version: string
  started_at: string
  seen_at: Generated<string>
  clock_ahead_ms: number | null
  descriptors_exhausted_at: string | null
}

interface SpentRenewTokensTable {
  account_id: string
  auth_session_id: string
  renew_hash: Buffer
  spent_at: Generated<string>
  had_retry_key: Generated<boolean>
}

interface SubjectWordsTable {
  account_id: string
  conversation_id: string
  words: string
}

interface TagsTable {
  account_id: string
  id: string
  name: string
  description: string | null
  color: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface TeamMembersTable {
  account_id: string
  team_id: string
  user_id: number
  open_limit: number | null
}

interface TeamsTable {
  account_id: string
  id: string
  name: string
  assignment: Generated<'by_hand' | 'in_turn' | 'least_open'>
  has_everybody: Generated<boolean>
  open_limit: number | null
  return_after_minutes: number | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

interface TelegramInvitationsTable {
  account_id: string
  id: string
  authorization_id: string
  customer_id: string
  conversation_id: string
  token_hash: Buffer
  created_at: Generated<string>
  expires_at: string
}

interface TwoFactorsTable {
  account_id: string
  user_id: number
  secret: Buffer
  confirmed_at: string | null
  last_step: Generated<number>
  recovery_hashes: Generated<Buffer[]>
  created_at: Generated<string>
}

interface UnreadCountersTable {
  account_id: string
  counter: string
  slot: number
  count: number
}

interface UserAvailabilityTable {
  account_id: string
  user_id: number
  away_at: string | null
  last_present_at: string | null
  last_assigned_at: string | null
}

interface UserIdentitiesTable {
  account_id: string
  user_id: number
  issuer: string
  subject: string
  created_at: Generated<string>
}

interface UserInvitationsTable {
  account_id: string
  id: string
  created_by: number | null
  created_at: Generated<string>
  expires_at: string
  used_at: string | null
  token_hash: Buffer
  email: string | null
}

interface UserSettingsTable {
  account_id: string
  user_id: number
  id: string
  email_alert_on_new_message: Generated<boolean>
  email_alert_on_new_conversation: Generated<boolean>
  expo_push_token: string | null
  notify_about: Generated<string[]>
  notification_sound: Generated<boolean>
  email_alert_on_mention: Generated<boolean>
  language: string | null
  label_language: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
  mail_signature: string | null
  undo_seconds: number | null
  read_languages: Generated<string[]>
  email_alert_on_deadline: Generated<boolean>
}

interface UsersTable {
  account_id: string
  id: Generated<number>
  email: string
  password_hash: string
  role: 'admin' | 'user'
  full_name: string | null
  display_name: string | null
  profile_photo_url: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
  disabled_at: string | null
  archived_at: string | null
  email_verified_at: string | null
}

interface VisitorSessionsTable {
  account_id: string
  id: string
  customer_id: string
  token_hash: Buffer
  user_agent: string | null
  created_at: Generated<string>
  last_used_at: Generated<string>
  revoked_at: string | null
  email: string | null
}

interface WebhookAttemptsTable {
  account_id: string
  id: string
  delivery_id: string
  at: string
  duration_ms: number
  status: number | null
  error: string | null
  answer: string | null
}

interface WebhookDeliveriesTable {
  account_id: string
  id: string
  seq: GeneratedAlways<number>
  subscription_id: string
  event: string
  customer_id: string | null
  conversation_id: string | null
  order_key: string
  body: string | null
  state: Generated<'pending' | 'delivered' | 'parked'>
  attempts: Generated<number>
  begun_at: Generated<string>
  next_attempt_at: Generated<string>
  leased_until: string | null
  created_at: Generated<string>
  request_id: string | null
}

interface WebhookSecretsTable {
  account_id: string
  id: string
  subscription_id: string
  secret: Buffer
  created_at: Generated<string>
  retires_at: string | null
}

interface WhatsappTemplateMessagesTable {
  account_id: string
  message_id: string
  name: string
  language: string
  variables: Json
}

interface WidgetSettingsTable {
  account_id: string
  id: string
  inbox_id: string
  color: string | null
  name: string | null
  logo: string | null
  title: string | null
  subtitle: string | null
  greeting: string | null
  away_message: string | null
  new_message_placeholder: string | null
  email_input_placeholder: string | null
  new_messages_notification_text: string | null
  quick_reply_options: string | null
  language: string | null
  show_agent_availability: Generated<boolean>
  agent_available_text: string | null
  agent_unavailable_text: string | null
  is_hide_voice: Generated<boolean>
  is_hide_attachments: Generated<boolean>
  require_email_upfront: Generated<boolean>
  require_name_upfront: Generated<boolean>
  require_phone_upfront: Generated<boolean>
  use_company_profile_only: Generated<boolean>
  is_open_by_default: Generated<boolean>
  is_branding_hidden: Generated<boolean>
  icon_variant: Generated<'outlined' | 'filled'>
  custom_icon_url: string | null
  iframe_url_override: string | null
  base_url: string | null
  host: string | null
  pathname: string | null
  last_seen_at: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
  offers_articles: Generated<boolean>
}

interface WrittenTextsTable {
  account_id: string
  id: string
  conversation_id: string
  request_hash: Buffer
  answer: Json
  created_at: Generated<string>
}

export interface Database {
  accounts: AccountsTable
  archived_by_age: ArchivedByAgeTable
  article_collections: ArticleCollectionsTable
  article_files: ArticleFilesTable
  article_reads: ArticleReadsTable
  article_revisions: ArticleRevisionsTable
  article_slugs: ArticleSlugsTable
  article_translations: ArticleTranslationsTable
  article_votes: ArticleVotesTable
  articles: ArticlesTable
  assistant_grants: AssistantGrantsTable
  assistant_settings: AssistantSettingsTable
  attribute_definitions: AttributeDefinitionsTable
  audit_entries: AuditEntriesTable
  auth_sessions: AuthSessionsTable
  authorization_credentials: AuthorizationCredentialsTable
  authorizations: AuthorizationsTable
  billing_accounts: BillingAccountsTable
  billing_events: BillingEventsTable
  browser_sessions: BrowserSessionsTable
  companies: CompaniesTable
  conversation_assignments: ConversationAssignmentsTable
  conversation_moves: ConversationMovesTable
  conversation_ratings: ConversationRatingsTable
  conversation_shares: ConversationSharesTable
  conversation_tags: ConversationTagsTable
  conversation_views: ConversationViewsTable
  conversation_waits: ConversationWaitsTable
  conversations: ConversationsTable
  customer_filters: CustomerFiltersTable
  customer_imports: CustomerImportsTable
  customer_issues: CustomerIssuesTable
  customer_merges: CustomerMergesTable
  customer_notes: CustomerNotesTable
  customer_tags: CustomerTagsTable
  customers: CustomersTable
  deadline_policies: DeadlinePoliciesTable
  deadlines: DeadlinesTable
  deliveries: DeliveriesTable
  drafts: DraftsTable
  email_template_versions: EmailTemplateVersionsTable
  email_templates: EmailTemplatesTable
  event_followers: EventFollowersTable
  event_subscriptions: EventSubscriptionsTable
  events: EventsTable
  external_identities: ExternalIdentitiesTable
  external_messages: ExternalMessagesTable
  external_threads: ExternalThreadsTable
  files: FilesTable
  first_answers: FirstAnswersTable
  forwarding_addresses: ForwardingAddressesTable
  function_runs: FunctionRunsTable
  functions: FunctionsTable
  github_issues: GithubIssuesTable
  help_centers: HelpCentersTable
  help_gaps: HelpGapsTable
  idempotent_requests: IdempotentRequestsTable
  identity_secrets: IdentitySecretsTable
  import_secrets: ImportSecretsTable
  inbound_events: InboundEventsTable
  inboxes: InboxesTable
  installation: InstallationTable
  integration_apps: IntegrationAppsTable
  issues: IssuesTable
  language_model_usage: LanguageModelUsageTable
  language_models: LanguageModelsTable
  leases: LeasesTable
  macros: MacrosTable
  mail_options: MailOptionsTable
  mail_originals: MailOriginalsTable
  mails: MailsTable
  mentions: MentionsTable
  message_counts: MessageCountsTable
  message_files: MessageFilesTable
  message_mails: MessageMailsTable
  message_translations: MessageTranslationsTable
  message_words: MessageWordsTable
  messages: MessagesTable
  migrations: MigrationsTable
  moved_messages: MovedMessagesTable
  oauth_starts: OauthStartsTable
  one_time_tokens: OneTimeTokensTable
  page_visits: PageVisitsTable
  personal_api_keys: PersonalApiKeysTable
  plan_retention: PlanRetentionTable
  published_articles: PublishedArticlesTable
  push_alerts: PushAlertsTable
  push_devices: PushDevicesTable
  push_keys: PushKeysTable
  push_settings: PushSettingsTable
  reporting_time_zones: ReportingTimeZonesTable
  rule_events: RuleEventsTable
  rule_runs: RuleRunsTable
  rules: RulesTable
  saved_replies: SavedRepliesTable
  scheduled_messages: ScheduledMessagesTable
  servers: ServersTable
  spent_renew_tokens: SpentRenewTokensTable
  subject_words: SubjectWordsTable
  tags: TagsTable
  team_members: TeamMembersTable
  teams: TeamsTable
  telegram_invitations: TelegramInvitationsTable
  two_factors: TwoFactorsTable
  unread_counters: UnreadCountersTable
  user_availability: UserAvailabilityTable
  user_identities: UserIdentitiesTable
  user_invitations: UserInvitationsTable
  user_settings: UserSettingsTable
  users: UsersTable
  visitor_sessions: VisitorSessionsTable
  webhook_attempts: WebhookAttemptsTable
  webhook_deliveries: WebhookDeliveriesTable
  webhook_secrets: WebhookSecretsTable
  whatsapp_template_messages: WhatsappTemplateMessagesTable
  widget_settings: WidgetSettingsTable
  written_texts: WrittenTextsTable
}
