// Written by `npm run sdk` from the contract. Do not edit it: a test compares it with what the command writes.
import type { Call, Options } from './call.ts'
import type { Pages } from './pages.ts'

/** Every call: method, path, parameters, the body's wrapper, result. */
export const CALLS: Record<string, Record<string, Call>> = {
  accounts: {
    retrieve: ['GET', '/api/v1/accounts/me', '', '', 'data'],
    update: ['PUT', '/api/v1/accounts/me', 'body', 'account', 'data'],
  },
  audit: {
    list: ['GET', '/api/v1/audit_entries', 'query', '', 'pages'],
    export: ['GET', '/api/v1/audit_entries/export.csv', 'query', '', 'text'],
  },
  billing: {
    retrieve: ['GET', '/api/v1/billing', '', '', 'data'],
    paymentMethod: ['GET', '/api/v1/payment_methods', '', '', 'data'],
    invoices: ['GET', '/api/v1/billing/invoices', 'query', '', 'pages'],
  },
  browserSessions: {
    list: ['GET', '/api/v1/browser_sessions', 'query', '', 'data'],
    count: ['GET', '/api/v1/browser_sessions/count', 'query', '', 'data'],
    retrieve: ['GET', '/api/v1/browser_sessions/{id}', '', '', 'data'],
    update: ['PUT', '/api/v1/browser_sessions/{id}', 'body', 'browser_session', 'data'],
    destroy: ['DELETE', '/api/v1/browser_sessions/{id}', '', '', 'nothing'],
  },
  companies: {
    list: ['GET', '/api/v1/companies', 'query', '', 'data'],
    create: ['POST', '/api/v1/companies', 'body', 'company', 'data'],
    retrieve: ['GET', '/api/v1/companies/{id}', '', '', 'data'],
    update: ['PUT', '/api/v1/companies/{id}', 'body', 'company', 'data'],
    destroy: ['DELETE', '/api/v1/companies/{id}', '', '', 'nothing'],
  },
  conversationForwarding: {
    forward: ['POST', '/api/v1/conversations/{id}/forward', 'body', 'forward', 'whole'],
  },
  conversations: {
    list: ['GET', '/api/v1/conversations', 'query', '', 'pages'],
    create: ['POST', '/api/v1/conversations', 'body', 'conversation', 'data'],
    count: ['GET', '/api/v1/conversations/count', 'query', '', 'data'],
    unread: ['GET', '/api/v1/conversations/unread', '', '', 'data'],
    retrieve: ['GET', '/api/v1/conversations/{id}', 'query', '', 'data'],
    update: ['PUT', '/api/v1/conversations/{id}', 'body', 'conversation', 'data'],
    destroy: ['DELETE', '/api/v1/conversations/{id}', '', '', 'nothing'],
    updateMany: ['POST', '/api/v1/conversations/bulk', 'body', '', 'data'],
    previous: ['GET', '/api/v1/conversations/{id}/previous', '', '', 'data'],
    related: ['GET', '/api/v1/conversations/{id}/related', 'query', '', 'data'],
    archive: ['POST', '/api/v1/conversations/{id}/archive', '', '', 'data'],
  },
  customerImports: {
    upload: ['POST', '/api/v1/customers/import', 'form', '', 'data'],
    list: ['GET', '/api/v1/customer_imports', 'query', '', 'pages'],
    retrieve: ['GET', '/api/v1/customer_imports/{id}', '', '', 'data'],
    start: ['POST', '/api/v1/customer_imports/{id}/start', 'body', '', 'data'],
  },
  customers: {
    list: ['GET', '/api/v1/customers', 'query', '', 'numbered pages'],
    create: ['POST', '/api/v1/customers', 'body', 'customer', 'data'],
    export: ['GET', '/api/v1/customers/export.csv', 'query', '', 'text'],
    retrieve: ['GET', '/api/v1/customers/{id}', 'query', '', 'data'],
    update: ['PUT', '/api/v1/customers/{id}', 'body', 'customer', 'data'],
    destroy: ['DELETE', '/api/v1/customers/{id}', '', '', 'nothing'],
    block: ['POST', '/api/v1/customers/{id}/block', '', '', 'data'],
    unblock: ['DELETE', '/api/v1/customers/{id}/block', '', '', 'data'],
    allowAutomaticMail: ['DELETE', '/api/v1/customers/{id}/complaint', '', '', 'data'],
    merge: ['POST', '/api/v1/customers/{id}/merge', 'body', '', 'data'],
    unmerge: ['POST', '/api/v1/customers/{id}/unmerge', '', '', 'data'],
    listFilters: ['GET', '/api/v1/customer_filters', 'query', '', 'pages'],
    saveFilter: ['POST', '/api/v1/customer_filters', 'body', 'customer_filter', 'data'],
    removeFilter: ['DELETE', '/api/v1/customer_filters/{id}', '', '', 'nothing'],
    identify: ['GET', '/api/v1/customers/identify', 'query', '', 'data'],
    pageVisits: ['GET', '/api/v1/customers/{id}/page_visits', 'query', '', 'pages'],
  },
  deletedConversations: {
    list: ['GET', '/api/v1/deleted_conversations', 'query', '', 'pages'],
    destroy: ['DELETE', '/api/v1/deleted_conversations/{id}', '', '', 'data'],
  },
  deliveries: {
    list: ['GET', '/api/v1/deliveries', 'query', '', 'pages'],
    ofConversation: ['GET', '/api/v1/conversations/{conversation_id}/deliveries', 'query', '', 'pages'],
    channel: ['GET', '/api/v1/conversations/{conversation_id}/channel', '', '', 'data'],
    retry: ['POST', '/api/v1/deliveries/{id}/retry', '', '', 'data'],
    discard: ['DELETE', '/api/v1/deliveries/{id}', '', '', 'nothing'],
    settleHeld: ['POST', '/api/v1/integrations/{id}/held', 'body', '', 'whole'],
  },
  drafts: {
    retrieve: ['GET', '/api/v1/conversations/{id}/draft', '', '', 'data'],
    save: ['PUT', '/api/v1/conversations/{id}/draft', 'body', 'draft', 'data'],
  },
  emailTemplates: {
    list: ['GET', '/api/v1/email_templates', 'query', '', 'pages'],
    save: ['PUT', '/api/v1/email_templates/{kind}', 'body', 'template', 'data'],
    reset: ['DELETE', '/api/v1/email_templates/{kind}', '', '', 'nothing'],
    preview: ['POST', '/api/v1/email_templates/{kind}/preview', 'body', 'template', 'data'],
    test: ['POST', '/api/v1/email_templates/{kind}/test', 'body', 'template', 'data'],
    versions: ['GET', '/api/v1/email_templates/{kind}/versions', 'query', '', 'pages'],
    restore: ['POST', '/api/v1/email_templates/{kind}/versions/{version_id}/restore', '', '', 'data'],
  },
  erasure: {
    export: ['GET', '/api/v1/customers/{id}/export', '', '', 'whole'],
    erase: ['POST', '/api/v1/customers/{id}/erase', '', '', 'data'],
  },
  eventSubscriptions: {
    list: ['GET', '/api/v1/event_subscriptions', 'query', '', 'pages'],
    create: ['POST', '/api/v1/event_subscriptions', 'body', 'event_subscription', 'data'],
    verify: ['POST', '/api/v1/event_subscriptions/verify', 'body', '', 'data'],
    retrieve: ['GET', '/api/v1/event_subscriptions/{id}', '', '', 'data'],
    update: ['PUT', '/api/v1/event_subscriptions/{id}', 'body', 'event_subscription', 'data'],
    destroy: ['DELETE', '/api/v1/event_subscriptions/{id}', '', '', 'nothing'],
    deliveries: ['GET', '/api/v1/event_subscriptions/{id}/deliveries', 'query', '', 'pages'],
    delivery: ['GET', '/api/v1/event_subscriptions/{id}/deliveries/{delivery_id}', '', '', 'data'],
    resend: ['POST', '/api/v1/event_subscriptions/{id}/deliveries/{delivery_id}/resend', '', '', 'data'],
    resendSince: ['POST', '/api/v1/event_subscriptions/{id}/resend', 'body', '', 'data'],
  },
  events: {
    page: ['GET', '/api/v1/events', 'query', '', 'whole'],
  },
  files: {
    upload: ['POST', '/api/v1/upload', 'form', '', 'data'],
  },
  forwardingAddresses: {
    list: ['GET', '/api/v1/forwarding_addresses', 'query', '', 'pages'],
    create: ['POST', '/api/v1/forwarding_addresses', 'body', 'forwarding_address', 'data'],
    retrieve: ['GET', '/api/v1/forwarding_addresses/{id}', '', '', 'data'],
    update: ['PUT', '/api/v1/forwarding_addresses/{id}', 'body', 'forwarding_address', 'data'],
    destroy: ['DELETE', '/api/v1/forwarding_addresses/{id}', '', '', 'nothing'],
    test: ['POST', '/api/v1/forwarding_addresses/{id}/test', '', '', 'data'],
  },
  functions: {
    list: ['GET', '/api/v1/lambdas', 'query', '', 'pages'],
    create: ['POST', '/api/v1/lambdas', 'body', 'lambda', 'data'],
    retrieve: ['GET', '/api/v1/lambdas/{id}', '', '', 'data'],
    update: ['PUT', '/api/v1/lambdas/{id}', 'body', 'lambda', 'data'],
    destroy: ['DELETE', '/api/v1/lambdas/{id}', '', '', 'nothing'],
    deploy: ['POST', '/api/v1/lambdas/{id}/deploy', 'form', '', 'data'],
    invoke: ['POST', '/api/v1/lambdas/{id}/invoke', 'body', '', 'data'],
    runs: ['GET', '/api/v1/lambdas/{id}/runs', 'query', '', 'data'],
  },
  github: {
    retrieve: ['GET', '/api/v1/github/authorization', '', '', 'data'],
    saveSettings: ['PUT', '/api/v1/github/authorizations/{id}/settings', 'body', 'settings', 'data'],
    destroy: ['DELETE', '/api/v1/github/authorizations/{id}', '', '', 'nothing'],
    repositories: ['GET', '/api/v1/github/repos', 'query', '', 'pages'],
    issues: ['GET', '/api/v1/github/issues', 'query', '', 'pages'],
    createIssue: ['POST', '/api/v1/github/issues', 'body', '', 'data'],
  },
  google: {
    retrieve: ['GET', '/api/v1/google/authorization', 'query', '', 'data'],
    saveSettings: ['PUT', '/api/v1/google/authorizations/{id}/settings', 'body', 'settings', 'data'],
    destroy: ['DELETE', '/api/v1/google/authorizations/{id}', '', '', 'nothing'],
    profile: ['GET', '/api/v1/gmail/profile', 'query', '', 'data'],
    send: ['POST', '/api/v1/gmail/send', 'body', '', 'data'],
  },
  health: {
    report: ['GET', '/api/v1/health_report', '', '', 'data'],
  },
  hubspot: {
    retrieve: ['GET', '/api/v1/hubspot/authorization', '', '', 'data'],
    destroy: ['DELETE', '/api/v1/hubspot/authorizations/{id}', '', '', 'nothing'],
    contacts: ['GET', '/api/v1/hubspot/contacts', 'query', '', 'pages'],
    createContact: ['POST', '/api/v1/hubspot/contacts', 'body', '', 'data'],
  },
  inboxes: {
    destroy: ['DELETE', '/api/v1/inboxes/{id}', 'query', '', 'nothing'],
    retrieve: ['GET', '/api/v1/inboxes/{id}', '', '', 'data'],
    update: ['PUT', '/api/v1/inboxes/{id}', 'body', 'inbox', 'data'],
    list: ['GET', '/api/v1/inboxes', 'query', '', 'pages'],
    create: ['POST', '/api/v1/inboxes', 'body', 'inbox', 'data'],
    primary: ['GET', '/api/v1/inboxes/primary', '', '', 'data'],
    installation: ['GET', '/api/v1/inboxes/{id}/installation', '', '', 'data'],
  },
  integrationApps: {
    retrieve: ['GET', '/api/v1/integration_apps/{vendor}', '', '', 'data'],
  },
  integrations: {
    list: ['GET', '/api/v1/integrations', 'query', '', 'pages'],
    test: ['POST', '/api/v1/integrations/{id}/test', '', '', 'data'],
    destroy: ['DELETE', '/api/v1/integrations/{id}', 'query', '', 'nothing'],
    inboundEvents: ['GET', '/api/v1/inbound_events', 'query', '', 'pages'],
    inboundOriginal: ['GET', '/api/v1/inbound_events/{id}/original', '', '', 'whole'],
    retryInbound: ['POST', '/api/v1/inbound_events/{id}/retry', '', '', 'data'],
  },
  intercom: {
    retrieve: ['GET', '/api/v1/intercom/authorization', '', '', 'data'],
    destroy: ['DELETE', '/api/v1/intercom/authorizations/{id}', '', '', 'nothing'],
    contacts: ['GET', '/api/v1/intercom/contacts', 'query', '', 'pages'],
    createContact: ['POST', '/api/v1/intercom/contacts', 'body', '', 'data'],
  },
  invitations: {
    list: ['GET', '/api/v1/user_invitations', 'query', '', 'pages'],
    create: ['POST', '/api/v1/user_invitations', '', '', 'data'],
    retrieve: ['GET', '/api/v1/user_invitations/{id}', '', '', 'data'],
    update: ['PUT', '/api/v1/user_invitations/{id}', 'body', 'user_invitation', 'data'],
    destroy: ['DELETE', '/api/v1/user_invitations/{id}', '', '', 'nothing'],
    resend: ['POST', '/api/v1/user_invitations/{id}/resend', '', '', 'data'],
    email: ['POST', '/api/v1/user_invitation_emails', 'body', '', 'whole'],
  },
  issues: {
    list: ['GET', '/api/v1/issues', 'query', '', 'data'],
    create: ['POST', '/api/v1/issues', 'body', 'issue', 'data'],
    retrieve: ['GET', '/api/v1/issues/{id}', '', '', 'data'],
    update: ['PUT', '/api/v1/issues/{id}', 'body', 'issue', 'data'],
    destroy: ['DELETE', '/api/v1/issues/{id}', '', '', 'nothing'],
    link: ['POST', '/api/v1/customers/{id}/issues', 'body', '', 'data'],
    unlink: ['DELETE', '/api/v1/customers/{id}/issues/{issue_id}', '', '', 'data'],
  },
  mailbox: {
    retrieve: ['GET', '/api/v1/mailbox/authorization', 'query', '', 'data'],
    folders: ['GET', '/api/v1/mailbox/authorizations/{id}/folders', 'query', '', 'pages'],
    destroy: ['DELETE', '/api/v1/mailbox/authorizations/{id}', '', '', 'nothing'],
  },
  mails: {
    list: ['GET', '/api/v1/mails', 'query', '', 'pages'],
    retrieve: ['GET', '/api/v1/mails/{id}', '', '', 'data'],
    sendKept: ['POST', '/api/v1/mails/send_kept', '', '', 'data'],
    retry: ['POST', '/api/v1/mails/{id}/retry', '', '', 'data'],
  },
  mattermost: {
    retrieve: ['GET', '/api/v1/mattermost/authorization', 'query', '', 'data'],
    destroy: ['DELETE', '/api/v1/mattermost/authorizations/{id}', '', '', 'nothing'],
  },
  messageMails: {
    retrieve: ['GET', '/api/v1/messages/{id}/mail', '', '', 'data'],
    ofConversation: ['GET', '/api/v1/conversations/{id}/mails', 'query', '', 'pages'],
    recipients: ['GET', '/api/v1/conversations/{id}/recipients', '', '', 'data'],
    splitOff: ['POST', '/api/v1/messages/{id}/split_off', '', '', 'data'],
    undoSplitOff: ['DELETE', '/api/v1/messages/{id}/split_off', '', '', 'data'],
  },
  messages: {
    list: ['GET', '/api/v1/messages', 'query', '', 'pages'],
    create: ['POST', '/api/v1/messages', 'body', 'message', 'data'],
    count: ['GET', '/api/v1/messages/count', '', '', 'data'],
    retrieve: ['GET', '/api/v1/messages/{id}', '', '', 'data'],
    update: ['PUT', '/api/v1/messages/{id}', 'body', 'message', 'data'],
    destroy: ['DELETE', '/api/v1/messages/{id}', 'query', '', 'nothing'],
  },
  notes: {
    list: ['GET', '/api/v1/notes', 'query', '', 'pages'],
    create: ['POST', '/api/v1/notes', 'body', 'note', 'data'],
    retrieve: ['GET', '/api/v1/notes/{id}', '', '', 'data'],
    update: ['PUT', '/api/v1/notes/{id}', 'body', 'note', 'data'],
    destroy: ['DELETE', '/api/v1/notes/{id}', '', '', 'nothing'],
  },
  onboarding: {
    status: ['GET', '/api/v1/onboarding_status', '', '', 'whole'],
  },
  operations: {
    notifyOperator: ['POST', '/api/v1/admin/notifications', 'body', '', 'data'],
    address: ['GET', '/api/v1/installation/address', '', '', 'data'],
    changeAddress: ['PUT', '/api/v1/installation/address', 'body', '', 'data'],
    deadJobs: ['GET', '/api/v1/dead_jobs', 'query', '', 'pages'],
    retryDeadJob: ['POST', '/api/v1/dead_jobs/{id}/retry', '', '', 'data'],
  },
  ratings: {
    retrieve: ['GET', '/api/v1/conversations/{id}/rating', '', '', 'data'],
  },
  reporting: {
    retrieve: ['GET', '/api/v1/reporting', 'query', '', 'data'],
    exportDays: ['GET', '/api/v1/reporting/days.csv', 'query', '', 'text'],
    exportConversations: ['GET', '/api/v1/reporting/conversations.csv', 'query', '', 'text'],
  },
  savedReplies: {
    list: ['GET', '/api/v1/canned_responses', 'query', '', 'pages'],
    create: ['POST', '/api/v1/canned_responses', 'body', 'canned_response', 'data'],
    retrieve: ['GET', '/api/v1/canned_responses/{id}', '', '', 'data'],
    update: ['PUT', '/api/v1/canned_responses/{id}', 'body', 'canned_response', 'data'],
    destroy: ['DELETE', '/api/v1/canned_responses/{id}', '', '', 'nothing'],
  },
  search: {
    find: ['GET', '/api/v1/search', 'query', '', 'pages'],
  },
  sharing: {
    share: ['POST', '/api/v1/conversations/{id}/share', '', '', 'data'],
    list: ['GET', '/api/v1/conversations/{id}/shares', 'query', '', 'pages'],
    revoke: ['DELETE', '/api/v1/conversations/{id}/shares/{share_id}', '', '', 'nothing'],
  },
  signedIdentity: {
    retrieve: ['GET', '/api/v1/inboxes/{id}/signed_identity', '', '', 'data'],
    require: ['PUT', '/api/v1/inboxes/{id}/signed_identity', 'body', 'signed_identity', 'data'],
    createSecret: ['POST', '/api/v1/inboxes/{id}/identity_secrets', 'body', '', 'data'],
    removeSecret: ['DELETE', '/api/v1/inboxes/{id}/identity_secrets/{secret_id}', '', '', 'nothing'],
  },
  slack: {
    authorization: ['GET', '/api/v1/slack/authorization', 'query', '', 'data'],
    authorizations: ['GET', '/api/v1/slack/authorizations', 'query', '', 'pages'],
    settings: ['POST', '/api/v1/slack/authorizations/{id}/settings', 'body', 'settings', 'data'],
    destroy: ['DELETE', '/api/v1/slack/authorizations/{id}', '', '', 'nothing'],
    channels: ['GET', '/api/v1/slack/channels', 'query', '', 'pages'],
    notify: ['POST', '/api/v1/slack/notify', 'body', '', 'data'],
  },
  slackThreads: {
    list: ['GET', '/api/v1/slack_conversation_threads', 'query', '', 'pages'],
  },
  tags: {
    list: ['GET', '/api/v1/tags', 'query', '', 'pages'],
    create: ['POST', '/api/v1/tags', 'body', 'tag', 'data'],
    retrieve: ['GET', '/api/v1/tags/{id}', '', '', 'data'],
    update: ['PUT', '/api/v1/tags/{id}', 'body', 'tag', 'data'],
    destroy: ['DELETE', '/api/v1/tags/{id}', '', '', 'nothing'],
    addToConversation: ['POST', '/api/v1/conversations/{id}/tags', 'body', '', 'data'],
    removeFromConversation: ['DELETE', '/api/v1/conversations/{id}/tags/{tag_id}', '', '', 'data'],
    addToCustomer: ['POST', '/api/v1/customers/{id}/tags', 'body', '', 'data'],
    removeFromCustomer: ['DELETE', '/api/v1/customers/{id}/tags/{tag_id}', '', '', 'data'],
  },
  twilio: {
    retrieve: ['GET', '/api/v1/twilio/authorization', 'query', '', 'data'],
    destroy: ['DELETE', '/api/v1/twilio/authorizations/{id}', '', '', 'nothing'],
    send: ['POST', '/api/v1/twilio/send', 'body', '', 'data'],
  },
  userSettings: {
    retrieve: ['GET', '/api/v1/user_settings', '', '', 'data'],
    update: ['PUT', '/api/v1/user_settings', 'body', 'user_settings', 'data'],
  },
  users: {
    me: ['GET', '/api/v1/me', '', '', 'data'],
    list: ['GET', '/api/v1/users', 'query', '', 'pages'],
    retrieve: ['GET', '/api/v1/users/{id}', '', '', 'data'],
    disable: ['POST', '/api/v1/users/{id}/disable', '', '', 'data'],
    enable: ['POST', '/api/v1/users/{id}/enable', '', '', 'data'],
    archive: ['POST', '/api/v1/users/{id}/archive', '', '', 'data'],
    setRole: ['PUT', '/api/v1/users/{id}/role', 'body', '', 'data'],
    profile: ['GET', '/api/v1/profile', '', '', 'data'],
    updateProfile: ['PUT', '/api/v1/profile', 'body', 'user_profile', 'data'],
  },
  widgets: {
    update: ['PUT', '/api/v1/widget_settings', 'body', 'widget_settings', 'data'],
  },
}

/** Resources and their calls. */
export interface Api {
  accounts: {
    /** Returns the account of the caller. */
    retrieve(options?: Options): Promise<Account>
    /** Updates the account of the caller. Working hours and settings are replaced as a whole. */
    update(input: AccountChangesInput, options?: Options): Promise<Account>
  }
  audit: {
    /** Lists the audit trail, newest first. `action` may be a prefix before the dot, such as `user`. */
    list(input?: AuditListQuery, options?: Options): Pages<AuditEntry>
    /** Exports the audit trail as CSV, at most the newest 50,000 entries. */
    export(input?: AuditExportQuery, options?: Options): Promise<string>
  }
  billing: {
    /** Returns plan, subscription, card and usage of the account. */
    retrieve(options?: Options): Promise<BillingInfo>
    /** Returns the card that is charged, if any. */
    paymentMethod(options?: Options): Promise<PaymentMethod | null>
    /** Lists the newest invoices, with links to the payment provider. */
    invoices(input?: BillingInvoicesQuery, options?: Options): Pages<Invoice>
  }
  browserSessions: {
    /** Lists sessions, most recently updated first, by default 100. For admins, and for members if the account allows it. */
    list(input?: BrowserSessionsListQuery, options?: Options): Promise<VisitedSession[]>
    /** Counts the sessions. */
    count(input?: BrowserSessionsCountQuery, options?: Options): Promise<BrowserSessionsCountAnswer>
    /** Returns a session. Its events are not stored, so `browser_replay_events` is empty. */
    retrieve(id: string, options?: Options): Promise<BrowserSessionsRetrieveAnswer>
    /** Updates a session. */
    update(id: string, input: BrowserSessionsUpdateInput, options?: Options): Promise<BrowserSession>
    /** Deletes a session. A recorder still running in it starts another when its page is reloaded. */
    destroy(id: string, options?: Options): Promise<void>
  }
  companies: {
    /** Lists companies by name. `q` selects those that contain every word, `limit` the first of them. */
    list(input?: CompaniesListQuery, options?: Options): Promise<Company[]>
    /** Creates a company. */
    create(input: CompanyDraftInput, options?: Options): Promise<Company>
    /** Returns a company. */
    retrieve(id: string, options?: Options): Promise<Company>
    /** Updates a company. */
    update(id: string, input: CompaniesUpdateInput, options?: Options): Promise<Company>
    /** Deletes a company without customers. */
    destroy(id: string, options?: Options): Promise<void>
  }
  conversationForwarding: {
    /** Forwards a conversation by mail, without private notes, and records the recipient in it. Replies go to the caller. */
    forward(id: string, input: ConversationForwardingForwardInput, options?: Options): Promise<ConversationForwardingForwardAnswer>
  }
  conversations: {
    /** Lists conversations, latest activity first, in pages of at most 50. */
    list(input?: ConversationsListQuery, options?: Options): Pages<Conversation>
    /** Starts a conversation with a customer. Only users may set more than customer and inbox, including the first message. */
    create(input: ConversationDraftInput, options?: Options): Promise<ConversationRow>
    /** Counts the matching conversations. */
    count(input?: ConversationsCountQuery, options?: Options): Promise<ConversationsCountAnswer>
    /** Counts the unread conversations of each bucket and inbox. The counters are also directly under data. */
    unread(options?: Options): Promise<ConversationsUnreadAnswer>
    /** Returns a conversation with its messages, up to 10,000. `messages=last` returns only the newest. */
    retrieve(id: string, input?: ConversationsRetrieveQuery, options?: Options): Promise<Conversation>
    /** Updates status, priority, assignee, inbox or the read mark, snoozes or wakes. */
    update(id: string, input: ConversationChangesInput, options?: Options): Promise<ConversationRow>
    /** Archives a conversation. Messages of customers are not deleted by this call. */
    destroy(id: string, options?: Options): Promise<void>
    /** Updates up to 200 conversations in the same way. A refused one does not affect the others. */
    updateMany(input: ManyChangesInput, options?: Options): Promise<ConversationsUpdateManyAnswer>
    /** Returns the previous conversation of the same customer. */
    previous(id: string, options?: Options): Promise<Conversation | null>
    /** Lists other conversations of the same customer, newest first, each with its last message. */
    related(id: string, input?: ConversationsRelatedQuery, options?: Options): Promise<Conversation[]>
    /** Archives a conversation: it is in no list any more. */
    archive(id: string, options?: Options): Promise<ConversationRow>
  }
  customerImports: {
    /** Uploads a CSV file of customers, as multipart field `file` or as text in `content`. Nothing is imported before it is started. */
    upload(input?: CustomerImportsUploadInput, options?: Options): Promise<CustomerImport>
    /** Lists the newest 20 imports, without their first rows. */
    list(input?: CustomerImportsListQuery, options?: Options): Pages<CustomerImport>
    /** Returns an import with its progress. */
    retrieve(id: string, options?: Options): Promise<CustomerImport>
    /** Creates or updates the customers of a file, matched by external id, else by e-mail, else by phone number. Starting it again changes nothing. */
    start(id: string, input: CustomerImportsStartInput, options?: Options): Promise<CustomerImport>
  }
  customers: {
    /** Lists customers: those online first, then those last seen. With `order=created` the oldest come first, an order that does not change while you read: pass `next` as `after` for the next page. Words of `q` match beginnings of words in name, e-mail, phone and external id, ignoring accents; `plan:pro` matches metadata. `format=csv` returns the page as CSV. */
    list(input?: CustomersListQuery, options?: Options): Pages<CustomerProfile>
    /** Creates a customer, or returns the one with this external id. Without a team session, customers created by the team, an import or a signed token are never returned, and the response only repeats the request. */
    create(input: CustomersCreateInput, options?: Options): Promise<Customer>
    /** Exports all matching customers as CSV. */
    export(input?: CustomersExportQuery, options?: Options): Promise<string>
    /** Returns a customer, with its company and tags unless `expand[]` says otherwise. The id of a merged customer returns the one it became part of. */
    retrieve(id: string, input?: CustomersRetrieveQuery, options?: Options): Promise<CustomerProfile>
    /** Updates a customer. */
    update(id: string, input: CustomerChangesInput, options?: Options): Promise<Customer>
    /** Deletes the personal data of a customer: names, addresses, devices, notes, tags and links. Its browsers are signed out and its conversations archived, without a name. */
    destroy(id: string, options?: Options): Promise<void>
    /** Blocks a customer: its messages are refused. */
    block(id: string, options?: Options): Promise<Customer>
    /** Unblocks a customer. */
    unblock(id: string, options?: Options): Promise<Customer>
    /** Removes the mark of a customer who has marked a mail as spam: automatic mails go to them again. */
    allowAutomaticMail(id: string, options?: Options): Promise<Customer>
    /** Merges another customer into this one, with its conversations, notes, tags, issues and browsers. */
    merge(id: string, input: CustomersMergeInput, options?: Options): Promise<Customer>
    /** Undoes the newest merge into this customer, within 30 days. Returns the separated customer. */
    unmerge(id: string, options?: Options): Promise<Customer>
    /** Lists the team's saved filters of customers, by name. */
    listFilters(input?: CustomersListFiltersQuery, options?: Options): Pages<SavedFilter>
    /** Saves a filter under a name, replacing one of the same name. */
    saveFilter(input: CustomersSaveFilterInput, options?: Options): Promise<SavedFilter>
    /** Deletes a saved filter. */
    removeFilter(id: string, options?: Options): Promise<void>
    /** Finds a customer by external id. Returns null for customers with a visitor session, and for those created by the team, an import or a signed token. */
    identify(input?: CustomersIdentifyQuery, options?: Options): Promise<CustomersIdentifyAnswer>
    /** Lists the newest page visits of a customer since their first conversation, oldest first. */
    pageVisits(id: string, input?: CustomersPageVisitsQuery, options?: Options): Pages<PageVisit>
  }
  deletedConversations: {
    /** Lists deleted conversations, the last deleted first. `q` searches names and e-mail addresses of customers, and subjects. */
    list(input?: DeletedConversationsListQuery, options?: Options): Pages<DeletedConversation>
    /** Destroys a deleted conversation for good, with its messages, files, mails, events and search index. This cannot be undone. */
    destroy(id: string, options?: Options): Promise<Erased>
  }
  deliveries: {
    /** Lists deliveries, newest first: sent ones for 30 days, others for 90. */
    list(input?: DeliveriesListQuery, options?: Options): Pages<Delivery>
    /** Lists the deliveries of a conversation, newest first, at most 200. */
    ofConversation(conversation_id: string, input?: DeliveriesOfConversationQuery, options?: Options): Pages<Delivery>
    /** Tells why a reply would not reach the customer at the moment: its channel was disconnected. Null if it would. */
    channel(conversation_id: string, options?: Options): Promise<ConversationChannel | null>
    /** Retries a failed delivery, or sends a waiting one at once. */
    retry(id: string, options?: Options): Promise<Delivery>
    /** Discards an unsent delivery. */
    discard(id: string, options?: Options): Promise<void>
    /** Sends, in order, or discards deliveries that had waited for over a day when the connection was restored. */
    settleHeld(id: string, input: DeliveriesSettleHeldInput, options?: Options): Promise<DeliveriesSettleHeldAnswer>
  }
  drafts: {
    /** Returns the caller’s draft in a conversation, from any device, or null. */
    retrieve(id: string, options?: Options): Promise<StoredDraft | null>
    /** Saves the caller’s draft; an empty one is deleted. Returns the stored draft, which differs if a larger revision exists. */
    save(id: string, input: DraftChangeInput, options?: Options): Promise<StoredDraft>
  }
  emailTemplates: {
    /** Lists the templates of mails to customers. */
    list(input?: EmailTemplatesListQuery, options?: Options): Pages<EmailTemplate>
    /** Creates and uses a new version of a template. One that cannot be rendered is refused. */
    save(kind: string, input: EmailTemplatesSaveInput, options?: Options): Promise<EmailTemplate>
    /** Restores the default template. The versions are kept. */
    reset(kind: string, options?: Options): Promise<void>
    /** Renders a template with sample data, and reports its errors. */
    preview(kind: string, input: EmailTemplatesPreviewInput, options?: Options): Promise<EmailTemplatesPreviewAnswer>
    /** Sends a template with sample data to the caller. */
    test(kind: string, input: EmailTemplatesTestInput, options?: Options): Promise<EmailTemplatesTestAnswer>
    /** Lists the newest 50 versions of a template. */
    versions(kind: string, input?: EmailTemplatesVersionsQuery, options?: Options): Pages<EmailTemplateVersion>
    /** Restores an earlier version of a template. */
    restore(kind: string, version_id: string, options?: Options): Promise<EmailTemplate>
  }
  erasure: {
    /** Exports all data of a customer, including private notes, as one JSON document. */
    export(id: string, options?: Options): Promise<ErasureExportAnswer>
    /** Erases all data of a customer for good: conversations with messages and files, notes, mails, events and the search index. This cannot be undone. */
    erase(id: string, options?: Options): Promise<Erased>
  }
  eventSubscriptions: {
    /** Lists the webhooks, oldest first. */
    list(input?: EventSubscriptionsListQuery, options?: Options): Pages<EventSubscription>
    /** Creates a webhook and verifies its URL. Only verified webhooks receive events. */
    create(input: EventSubscriptionsCreateInput, options?: Options): Promise<EventSubscription>
    /** Verifies a URL: it must respond with the text in `payload`, or with JSON that has it as `challenge`. */
    verify(input: EventSubscriptionsVerifyInput, options?: Options): Promise<EventSubscriptionsVerifyAnswer>
    /** Returns a webhook. */
    retrieve(id: string, options?: Options): Promise<EventSubscription>
    /** Updates the URL, which is verified again, or the events; switches a webhook off or on. */
    update(id: string, input: EventSubscriptionsUpdateInput, options?: Options): Promise<EventSubscription>
    /** Deletes a webhook with its log. */
    destroy(id: string, options?: Options): Promise<void>
    /** Lists sent and waiting deliveries of a webhook, newest first, for seven days. */
    deliveries(id: string, input?: EventSubscriptionsDeliveriesQuery, options?: Options): Pages<WebhookDelivery>
    /** Returns a delivery with its body and all attempts. */
    delivery(id: string, delivery_id: string, options?: Options): Promise<WebhookDeliveryDetails>
    /** Sends a delivery again, with the same id. */
    resend(id: string, delivery_id: string, options?: Options): Promise<WebhookDelivery>
    /** Sends all deliveries since a moment again, with the same ids and in order. */
    resendSince(id: string, input: EventSubscriptionsResendSinceInput, options?: Options): Promise<EventSubscriptionsResendSinceAnswer>
  }
  events: {
    /** Lists the caller’s events after a cursor; some may repeat. Without a cursor, returns the current one. */
    page(input?: EventsPageQuery, options?: Options): Promise<EventsPageAnswer>
  }
  files: {
    /** Uploads a file, as multipart field `file`. Its type is detected from its content; metadata of photos is removed. */
    upload(input: FilesUploadInput, options?: Options): Promise<StoredFile>
  }
  forwardingAddresses: {
    /** Lists forwarding addresses, of one inbox or all, newest first, and whether mail can be received and sent. */
    list(input?: ForwardingAddressesListQuery, options?: Options): Pages<ForwardingAddress>
    /** Creates an address to which the mail of a source address is to be forwarded. */
    create(input: ForwardingAddressDraftInput, options?: Options): Promise<ForwardingAddress>
    /** Returns a forwarding address. */
    retrieve(id: string, options?: Options): Promise<ForwardingAddress>
    /** Updates source, description, inbox, whether mailing lists are accepted, or whether forms write to it. A new source must be tested again. */
    update(id: string, input: ForwardingAddressesUpdateInput, options?: Options): Promise<ForwardingAddress>
    /** Deletes a forwarding address. Mail to it is then refused. */
    destroy(id: string, options?: Options): Promise<void>
    /** Sends a test mail to the source. Once it is forwarded back, the address is verified. */
    test(id: string, options?: Options): Promise<ForwardingAddress>
  }
  functions: {
    /** Lists the functions, most recently updated first. */
    list(input?: FunctionsListQuery, options?: Options): Pages<Lambda>
    /** Creates a function. It runs once it is deployed and active. */
    create(input: FunctionsCreateInput, options?: Options): Promise<Lambda>
    /** Returns a function. */
    retrieve(id: string, options?: Options): Promise<Lambda>
    /** Updates a function. Code takes effect when it is deployed; only a deployed function can be activated. */
    update(id: string, input: FunctionsUpdateInput, options?: Options): Promise<Lambda>
    /** Deletes a function with its runs and its key. */
    destroy(id: string, options?: Options): Promise<void>
    /** Deploys the code of a function, or a ZIP file in the form field `file` with `index.js` and the modules it requires. */
    deploy(id: string, input?: FunctionsDeployInput, options?: Options): Promise<Lambda>
    /** Runs the deployed code of a function, or with `is_draft` the code in the editor, and returns the result; `errorMessage` if it failed. */
    invoke(id: string, input: FunctionsInvokeInput, options?: Options): Promise<FunctionsInvokeAnswer>
    /** Lists the newest runs of a function, at most 100. */
    runs(id: string, input?: FunctionsRunsQuery, options?: Options): Promise<FunctionRun[]>
  }
  github: {
    /** Returns the GitHub connection, or null. */
    retrieve(options?: Options): Promise<GithubAuthorization | null>
    /** Updates the settings of the connection. */
    saveSettings(id: string, input: GithubSaveSettingsInput, options?: Options): Promise<GithubAuthorization>
    /** Disconnects GitHub and uninstalls the app there. */
    destroy(id: string, options?: Options): Promise<void>
    /** Lists the repositories of the connection; none without one. */
    repositories(input?: GithubRepositoriesQuery, options?: Options): Pages<GithubRepository>
    /** Lists the issue at a URL, or the open issues of a repository; none if GitHub does not show them. */
    issues(input?: GithubIssuesQuery, options?: Options): Pages<GithubIssue>
    /** Creates an issue in a GitHub repository. */
    createIssue(input: GithubCreateIssueInput, options?: Options): Promise<GithubIssue>
  }
  google: {
    /** Returns the connection with Gmail or Google Sheets, or null. */
    retrieve(input: GoogleRetrieveQuery, options?: Options): Promise<GoogleAuthorization | null>
    /** Updates the settings of Google Sheets. */
    saveSettings(id: string, input: GoogleSaveSettingsInput, options?: Options): Promise<GoogleAuthorization>
    /** Disconnects Gmail or Google Sheets. For admins, and for owners of a connected mailbox. */
    destroy(id: string, options?: Options): Promise<void>
    /** Returns the Gmail address of an inbox, by default the primary one. */
    profile(input?: GoogleProfileQuery, options?: Options): Promise<GoogleProfileAnswer>
    /** Sends an email from the Gmail mailbox of an inbox, by default the primary one. */
    send(input?: GoogleSendInput, options?: Options): Promise<GoogleSendAnswer>
  }
  health: {
    /** Returns waiting and failed work of the account. Admins of the account that set up the installation also see its servers, database and disk. */
    report(options?: Options): Promise<HealthReport>
  }
  hubspot: {
    /** Returns the HubSpot connection, or null. */
    retrieve(options?: Options): Promise<AccountAuthorization | null>
    /** Disconnects HubSpot. Nothing is changed there. */
    destroy(id: string, options?: Options): Promise<void>
    /** Lists HubSpot contacts: the one with an email address, those with all of these fields, or the first 100. */
    contacts(input?: HubspotContactsQuery, options?: Options): Pages<HubspotContact>
    /** Creates a HubSpot contact, or returns the existing one. */
    createContact(input?: HubspotCreateContactInput, options?: Options): Promise<HubspotContact>
  }
  inboxes: {
    /** Deletes an inbox other than the primary one, and moves all its conversations to the inbox `move_to`, which an inbox with conversations requires. If it takes long, repeating the call continues it. */
    destroy(id: string, input?: InboxesDestroyQuery, options?: Options): Promise<void>
    /** Returns an inbox. */
    retrieve(id: string, options?: Options): Promise<Inbox>
    /** Updates name, description or the private mark. */
    update(id: string, input: InboxesUpdateInput, options?: Options): Promise<Inbox>
    /** Lists the inboxes, most recently updated first. */
    list(input?: InboxesListQuery, options?: Options): Pages<Inbox>
    /** Creates an inbox. */
    create(input: InboxDraftInput, options?: Options): Promise<Inbox>
    /** Returns the primary inbox, where conversations arrive by default. */
    primary(options?: Options): Promise<Inbox | null>
    /** Returns the page on which the widget of an inbox was last opened. */
    installation(id: string, options?: Options): Promise<Installation>
  }
  integrationApps: {
    /** Returns the account’s OAuth app at a vendor, without its secrets. */
    retrieve(vendor: string, options?: Options): Promise<IntegrationApp>
  }
  integrations: {
    /** Lists all connections, oldest first, and whether this server has integrations enabled. */
    list(input?: IntegrationsListQuery, options?: Options): Pages<AuthorizationInList>
    /** Tests a connection, with a test message or a request. */
    test(id: string, options?: Options): Promise<Authorization>
    /** Disconnects and deletes the credentials. Waiting deliveries are kept for the next connection, or dropped with `discard`. */
    destroy(id: string, input?: IntegrationsDestroyQuery, options?: Options): Promise<void>
    /** Lists incoming events of connections, newest first, for two weeks. */
    inboundEvents(input?: IntegrationsInboundEventsQuery, options?: Options): Pages<InboundEvent>
    /** Downloads the original mail of an incoming event, as it came. */
    inboundOriginal(id: string, options?: Options): Promise<IntegrationsInboundOriginalAnswer>
    /** Processes a failed or ignored event again. */
    retryInbound(id: string, options?: Options): Promise<InboundEvent>
  }
  intercom: {
    /** Returns the Intercom connection, or null. */
    retrieve(options?: Options): Promise<AccountAuthorization | null>
    /** Disconnects Intercom. Nothing is changed there. */
    destroy(id: string, options?: Options): Promise<void>
    /** Lists Intercom contacts: those with this email address, or all of these fields, or the first page. */
    contacts(input?: IntercomContactsQuery, options?: Options): Pages<IntercomContact>
    /** Creates an Intercom contact, or returns the existing one. */
    createContact(input?: IntercomCreateContactInput, options?: Options): Promise<IntercomContact>
  }
  invitations: {
    /** Lists valid invitations, newest first. */
    list(input?: InvitationsListQuery, options?: Options): Pages<UserInvitation>
    /** Creates an invitation for one person to join the account within three days, as long as its creator is an admin. */
    create(options?: Options): Promise<InvitationsCreateAnswer>
    /** Returns an invitation. */
    retrieve(id: string, options?: Options): Promise<UserInvitation>
    /** Updates the expiry of an invitation. */
    update(id: string, input: InvitationsUpdateInput, options?: Options): Promise<UserInvitation>
    /** Revokes an invitation. */
    destroy(id: string, options?: Options): Promise<void>
    /** Mails an invitation again, with a new link and a new expiry. The old link ends. */
    resend(id: string, options?: Options): Promise<UserInvitation>
    /** Creates an invitation and mails its link. Addresses that already have an account are refused. */
    email(input?: InvitationsEmailInput, options?: Options): Promise<InvitationsEmailAnswer>
  }
  issues: {
    /** Lists issues, most recently updated first, at most 1,000. Each word of `q` must match the id, title, text or URL. */
    list(input?: IssuesListQuery, options?: Options): Promise<Issue[]>
    /** Creates an issue, linked to a customer with `customer_id`. */
    create(input: IssuesCreateInput, options?: Options): Promise<Issue>
    /** Returns an issue. */
    retrieve(id: string, options?: Options): Promise<Issue>
    /** Updates an issue. Any state may follow any other. */
    update(id: string, input: IssueChangesInput, options?: Options): Promise<Issue>
    /** Deletes an issue and its links to customers. */
    destroy(id: string, options?: Options): Promise<void>
    /** Links an issue to a customer, unless it is linked already. */
    link(id: string, input: IssuesLinkInput, options?: Options): Promise<IssuesLinkAnswer>
    /** Unlinks an issue from a customer. */
    unlink(id: string, issue_id: string, options?: Options): Promise<IssuesUnlinkAnswer>
  }
  mailbox: {
    /** Returns the mailbox of an inbox, or null. */
    retrieve(input: MailboxRetrieveQuery, options?: Options): Promise<MailboxAuthorization | null>
    /** Lists the folders of a connected mailbox. */
    folders(id: string, input?: MailboxFoldersQuery, options?: Options): Pages<MailboxFolders>
    /** Disconnects a mailbox. Nothing is changed in it. */
    destroy(id: string, options?: Options): Promise<void>
  }
  mails: {
    /** Lists the newest 50 mails of the account, and whether a mail server accepted them. */
    list(input?: MailsListQuery, options?: Options): Pages<StoredMail>
    /** Returns a mail with its content. The content is empty if it gives access to somebody’s account: it is never returned to API keys. */
    retrieve(id: string, options?: Options): Promise<MailsRetrieveAnswer>
    /** Sends all mails written while there was no mail server, and returns their number. */
    sendKept(options?: Options): Promise<MailsSendKeptAnswer>
    /** Sends a mail again that was refused, or written while there was no mail server. */
    retry(id: string, options?: Options): Promise<StoredMail>
  }
  mattermost: {
    /** Returns the connected channel of an inbox or of the account, or null. */
    retrieve(input?: MattermostRetrieveQuery, options?: Options): Promise<MattermostAuthorization | null>
    /** Disconnects a channel. Its posts are kept there. */
    destroy(id: string, options?: Options): Promise<void>
  }
  messageMails: {
    /** Returns the mail of a message: its addresses and its HTML. */
    retrieve(id: string, options?: Options): Promise<MessageMail>
    /** Lists the newest 200 mails of a conversation, oldest first: who wrote them and to whom they went. */
    ofConversation(id: string, input?: MessageMailsOfConversationQuery, options?: Options): Pages<MailOfConversation>
    /** Returns to whom the next reply by mail goes. Empty for conversations that are not by mail. */
    recipients(id: string, options?: Options): Promise<MailRecipients>
    /** Moves a mail that somebody other than the customer wrote into a conversation of its own sender, and returns that. A repeat returns the same. */
    splitOff(id: string, options?: Options): Promise<ConversationRow>
    /** Moves a mail that was split off back into the conversation it came from, and returns that. Refused once somebody has written after it. */
    undoSplitOff(id: string, options?: Options): Promise<ConversationRow>
  }
  messages: {
    /** Lists messages, newest first; with conversation_id in pages by number. Visitors may read their own conversations. */
    list(input?: MessagesListQuery, options?: Options): Pages<Message>
    /** Sends a message. Returns 409 with the missed messages if last_seen_number is behind the customer. */
    create(input: MessageDraftInput, options?: Options): Promise<Message>
    /** Counts the messages of the account. */
    count(options?: Options): Promise<MessagesCountAnswer>
    /** Returns a message. */
    retrieve(id: string, options?: Options): Promise<Message>
    /** Updates body or metadata of an own message; admins may update any. Bodies of customers cannot be changed. */
    update(id: string, input: MessageChangesInput, options?: Options): Promise<Message>
    /** Deletes an own message for everybody; admins may delete any. Its files are deleted, too, unless they are kept for another message. */
    destroy(id: string, input?: MessagesDestroyQuery, options?: Options): Promise<void>
  }
  notes: {
    /** Lists notes on customers, newest first, in pages of at most 100. */
    list(input?: NotesListQuery, options?: Options): Pages<NoteItem>
    /** Creates a note on a customer. */
    create(input: NotesCreateInput, options?: Options): Promise<CustomerNote>
    /** Returns a note. */
    retrieve(id: string, options?: Options): Promise<CustomerNote>
    /** Updates a note. Only for its author and admins. */
    update(id: string, input: NotesUpdateInput, options?: Options): Promise<CustomerNote>
    /** Deletes a note. Only for its author and admins. */
    destroy(id: string, options?: Options): Promise<void>
  }
  onboarding: {
    /** Returns the completed setup steps of the account, as flags at the top level. */
    status(options?: Options): Promise<OnboardingStatus>
  }
  operations: {
    /** Mails the operator of this installation. `html` is ignored. */
    notifyOperator(input: OperationsNotifyOperatorInput, options?: Options): Promise<OperationsNotifyOperatorAnswer>
    /** Returns the URL of this installation. */
    address(options?: Options): Promise<InstallationAddress>
    /** Sets the URL of this installation, unless BASE_URL is set in its environment. */
    changeAddress(input: OperationsChangeAddressInput, options?: Options): Promise<InstallationAddress>
    /** Lists the dead jobs of the account. */
    deadJobs(input?: OperationsDeadJobsQuery, options?: Options): Pages<DeadJob>
    /** Retries a dead job. */
    retryDeadJob(id: string, options?: Options): Promise<OperationsRetryDeadJobAnswer>
  }
  ratings: {
    /** Returns the rating of a conversation, or null. */
    retrieve(id: string, options?: Options): Promise<Rating | null>
  }
  reporting: {
    /** Returns statistics of conversations and messages between two moments. */
    retrieve(input?: ReportingRetrieveQuery, options?: Options): Promise<Report>
    /** Exports the statistics as CSV, one row per day. */
    exportDays(input?: ReportingExportDaysQuery, options?: Options): Promise<string>
    /** Exports the conversations started between two moments as CSV, one row each. */
    exportConversations(input?: ReportingExportConversationsQuery, options?: Options): Promise<string>
  }
  savedReplies: {
    /** Lists saved replies, most recently updated first. */
    list(input?: SavedRepliesListQuery, options?: Options): Pages<SavedReply>
    /** Creates a saved reply. Slashes are removed from the name. */
    create(input: SavedReplyDraftInput, options?: Options): Promise<SavedReply>
    /** Returns a saved reply. */
    retrieve(id: string, options?: Options): Promise<SavedReply>
    /** Updates name or content. */
    update(id: string, input: SavedRepliesUpdateInput, options?: Options): Promise<SavedReply>
    /** Deletes a saved reply. */
    destroy(id: string, options?: Options): Promise<void>
  }
  search: {
    /** Searches messages and conversations, newest first. Words match beginnings of words, ignoring accents; "quoted phrases" and from: tag: inbox: assignee: status: before: after: has:file are supported. */
    find(input?: SearchFindQuery, options?: Options): Pages<SearchHit>
  }
  sharing: {
    /** Creates a link that shows the conversation for 24 hours, without private notes. */
    share(id: string, options?: Options): Promise<SharingShareAnswer>
    /** Lists the valid links of a conversation. */
    list(id: string, input?: SharingListQuery, options?: Options): Pages<Share>
    /** Revokes a link. */
    revoke(id: string, share_id: string, options?: Options): Promise<void>
  }
  signedIdentity: {
    /** Returns whether an inbox requires signed identity, and its secrets without their values. */
    retrieve(id: string, options?: Options): Promise<SignedIdentity>
    /** Sets whether an inbox requires signed identity, for which it needs a secret. */
    require(id: string, input: SignedIdentityRequireInput, options?: Options): Promise<SignedIdentity>
    /** Creates a secret, shown only once. Earlier ones stay valid for `overlap_hours`, by default 24. */
    createSecret(id: string, input?: SignedIdentityCreateSecretInput, options?: Options): Promise<SignedIdentityCreateSecretAnswer>
    /** Revokes a secret at once, except the last one of an inbox that requires signed identity. */
    removeSecret(id: string, secret_id: string, options?: Options): Promise<void>
  }
  slack: {
    /** Returns the connected channel of an inbox or of the account, or null. */
    authorization(input?: SlackAuthorizationQuery, options?: Options): Promise<SlackAuthorization | null>
    /** Lists the connected channels, one of each workspace, oldest first. */
    authorizations(input?: SlackAuthorizationsQuery, options?: Options): Pages<SlackAuthorization>
    /** Sets which messages of a channel with customers become conversations. */
    settings(id: string, input: SlackSettingsInput, options?: Options): Promise<SlackAuthorization>
    /** Disconnects a channel. Its threads stay in Slack; waiting deliveries are kept for the next connection. */
    destroy(id: string, options?: Options): Promise<void>
    /** Lists the channels of a connected workspace that the app may see. */
    channels(input?: SlackChannelsQuery, options?: Options): Pages<SlackChannel>
    /** Posts a message to a connected channel, or another one of its workspace. Returns null if none is connected. */
    notify(input: SlackNotifyInput, options?: Options): Promise<SlackNotifyAnswer>
  }
  slackThreads: {
    /** Lists the Slack threads of a conversation, oldest first. */
    list(input: SlackThreadsListQuery, options?: Options): Pages<SlackThread>
  }
  tags: {
    /** Lists the tags by name. */
    list(input?: TagsListQuery, options?: Options): Pages<CountedTag>
    /** Creates a tag. Its name is unique in the account. */
    create(input: TagDraftInput, options?: Options): Promise<Tag>
    /** Returns a tag, with its number of uses. */
    retrieve(id: string, options?: Options): Promise<CountedTag>
    /** Updates name, description or colour. */
    update(id: string, input: TagsUpdateInput, options?: Options): Promise<Tag>
    /** Deletes a tag, and removes it everywhere. */
    destroy(id: string, options?: Options): Promise<void>
    /** Adds a tag to a conversation, unless it has it already. */
    addToConversation(id: string, input: TagsAddToConversationInput, options?: Options): Promise<TagsAddToConversationAnswer>
    /** Removes a tag from a conversation. */
    removeFromConversation(id: string, tag_id: string, options?: Options): Promise<TagsRemoveFromConversationAnswer>
    /** Adds a tag to a customer, unless it has it already. */
    addToCustomer(id: string, input: TagsAddToCustomerInput, options?: Options): Promise<TagsAddToCustomerAnswer>
    /** Removes a tag from a customer. */
    removeFromCustomer(id: string, tag_id: string, options?: Options): Promise<TagsRemoveFromCustomerAnswer>
  }
  twilio: {
    /** Returns the Twilio number of an inbox, by default the primary one, or null. */
    retrieve(input?: TwilioRetrieveQuery, options?: Options): Promise<TwilioAuthorization | null>
    /** Disconnects a Twilio number. Waiting deliveries are kept for the next connection. */
    destroy(id: string, options?: Options): Promise<void>
    /** Sends a text message outside of conversations, from the number connected last. */
    send(input: TwilioSendInput, options?: Options): Promise<TwilioMessage>
  }
  userSettings: {
    /** Returns the notification settings of the caller. */
    retrieve(options?: Options): Promise<UserSettings>
    /** Updates the notification settings of the caller. */
    update(input: UserSettingsChangesInput, options?: Options): Promise<UserSettings>
  }
  users: {
    /** Returns the signed-in user. */
    me(options?: Options): Promise<Me>
    /** Lists the team, oldest first, without disabled users. */
    list(input?: UsersListQuery, options?: Options): Pages<User>
    /** Returns a user of the team, or null. */
    retrieve(id: string, options?: Options): Promise<User | null>
    /** Disables a user and ends all their sessions. */
    disable(id: string, options?: Options): Promise<User>
    /** Enables a disabled user. */
    enable(id: string, options?: Options): Promise<User>
    /** Archives a user: they are in no list of the team any more. */
    archive(id: string, options?: Options): Promise<User>
    /** Sets the role of a user. */
    setRole(id: string, input: UsersSetRoleInput, options?: Options): Promise<User>
    /** Returns the caller with their profile. */
    profile(options?: Options): Promise<User>
    /** Updates the names and picture of the caller. */
    updateProfile(input: ProfileInput, options?: Options): Promise<User>
  }
  widgets: {
    /** Updates the chat window settings of an inbox, by default the primary one. */
    update(input: WidgetsUpdateInput, options?: Options): Promise<WidgetSettings>
  }
}

export type SubscriptionPlan = 'starter' | 'lite' | 'team'
export type Role = 'admin' | 'user'
export type AppVendor = 'slack' | 'google' | 'hubspot' | 'intercom'
export type IntegrationName =
  | 'mailbox'
  | 'ses'
  | 'gmail'
  | 'twilio'
  | 'slack:sync'
  | 'slack'
  | 'mattermost'
  | 'google_sheets'
  | 'github'
  | 'hubspot'
  | 'intercom'
export type IntegrationState = 'connected' | 'waiting' | 'resting' | 'failing' | 'broken'
export type Transport = 'live' | 'polled' | 'called' | 'looked_up' | 'none'
export type BacklogName = 'jobs' | 'mails' | 'webhooks' | 'deliveries' | 'inbound_events' | 'function_runs'
export type FieldSource = 'team' | 'import' | 'proof' | 'mail'
export type ClientEvent =
  | {
      event: 'shout'
      payload: Message
    }
  | {
      event: 'message:updated'
      payload: Message
    }
  | {
      event: 'message:deleted'
      payload: MessageDeleted
    }
  | {
      event: 'messages:seen'
      payload: MessagesSeen
    }
  | {
      event: 'messages:read'
      payload: MessagesSeen
    }
  | {
      event: 'conversation:created'
      payload: {
        id: string
        conversation?: Conversation
      }
    }
  | {
      event: 'conversation:updated'
      payload: {
        id: string
        updates: ConversationRow
      }
    }
  | {
      event: 'conversation:status'
      payload: ConversationStatusChanged
    }
  | {
      event: 'conversation:rated'
      payload: Rating
    }
  | {
      event: 'conversation:tagged'
      payload: {
        id: string
        tags: Tag[]
      }
    }
  | {
      event: 'conversation:destroyed'
      payload: Gone
    }
  | {
      event: 'customer:updated'
      payload: Customer
    }
  | {
      event: 'customer:deleted'
      payload: Gone
    }
  | {
      event: 'customer:tagged'
      payload: {
        id: string
        tags: Tag[]
      }
    }
  | {
      event: 'conversations:moved'
      payload: ConversationsMoved
    }
  | {
      event: 'customer_filter:updated'
      payload: SavedFilter
    }
  | {
      event: 'customer_filter:deleted'
      payload: Gone
    }
  | {
      event: 'customer_import:updated'
      payload: ImportProgress
    }
  | {
      event: 'company:updated'
      payload: Company
    }
  | {
      event: 'company:deleted'
      payload: Gone
    }
  | {
      event: 'account:updated'
      payload: AccountChanged
    }
  | {
      event: 'billing:updated'
      payload: {
        subscription_plan: SubscriptionPlan
        has_payment_failed: boolean
      }
    }
  | {
      event: 'inbox:updated'
      payload: Inbox
    }
  | {
      event: 'inbox:deleted'
      payload: Gone
    }
  | {
      event: 'widget_settings:updated'
      payload: WidgetSettingsRow
    }
  | {
      event: 'user:updated'
      payload: User
    }
  | {
      event: 'tag:updated'
      payload: Tag
    }
  | {
      event: 'tag:deleted'
      payload: Gone
    }
  | {
      event: 'note:created'
      payload: CustomerNote
    }
  | {
      event: 'note:updated'
      payload: CustomerNote
    }
  | {
      event: 'note:deleted'
      payload: {
        id: string
        customer_id: string
      }
    }
  | {
      event: 'issue:created'
      payload: Issue
    }
  | {
      event: 'issue:updated'
      payload: Issue
    }
  | {
      event: 'issue:deleted'
      payload: Gone
    }
  | {
      event: 'issue:linked'
      payload: {
        customer_id: string
        issue: Issue
      }
    }
  | {
      event: 'issue:unlinked'
      payload: {
        customer_id: string
        issue: Issue
      }
    }
  | {
      event: 'authorization:updated'
      payload: Authorization
    }
  | {
      event: 'authorization:removed'
      payload: {
        id: string
      }
    }
  | {
      event: 'delivery:updated'
      payload: Delivery
    }
export type MessageType = 'reply' | 'note' | 'bot'
export type MessageSource = 'chat' | 'slack' | 'mattermost' | 'email' | 'sms' | 'api' | 'sandbox'
export type ConversationSource = 'chat' | 'slack' | 'email' | 'sms' | 'api' | 'sandbox'
export type ConversationStatus = 'open' | 'closed'
export type Priority = 'not_priority' | 'priority'
export type IssueState = 'unstarted' | 'in_progress' | 'in_review' | 'done' | 'closed'
export type DeliveryKind = 'post' | 'edit' | 'remove' | 'status' | 'test'
export type DeliveryState = 'waiting' | 'sent' | 'failed' | 'dropped'
export type ConversationStatusInput = 'open' | 'closed'
export type PriorityInput = 'not_priority' | 'priority'
export type ConversationSourceInput = 'chat' | 'slack' | 'email' | 'sms' | 'api' | 'sandbox'
export type ImportEncoding =
  | 'utf-8'
  | 'utf-16le'
  | 'utf-16be'
  | 'windows-1250'
  | 'windows-1251'
  | 'windows-1252'
  | 'windows-1253'
  | 'windows-1254'
  | 'windows-1257'
  | 'windows-1258'
  | 'macintosh'
  | 'shift_jis'
  | 'gb18030'
  | 'big5'
  | 'euc-kr'
export type ImportField = 'external_id' | 'name' | 'email' | 'phone' | 'time_zone' | 'metadata'
export type ImportFieldInput = 'external_id' | 'name' | 'email' | 'phone' | 'time_zone' | 'metadata'
export type ImportEncodingInput =
  | 'utf-8'
  | 'utf-16le'
  | 'utf-16be'
  | 'windows-1250'
  | 'windows-1251'
  | 'windows-1252'
  | 'windows-1253'
  | 'windows-1254'
  | 'windows-1257'
  | 'windows-1258'
  | 'macintosh'
  | 'shift_jis'
  | 'gb18030'
  | 'big5'
  | 'euc-kr'
export type DeliveryStateInput = 'waiting' | 'sent' | 'failed' | 'dropped'
export type TemplateKind = 'reply' | 'answer' | 'transcript'
export type UrlProblem = 'not_a_url' | 'no_path' | 'private_address' | 'unreachable' | 'status' | 'no_challenge'
export type FunctionsInvokeAnswer = unknown
export type GoogleClientInput = 'gmail' | 'sheets'
export type GoogleProfileAnswer = {
  email: string
} | null
export type OAuthTypeInput = 'support' | 'personal'
export type IntegrationsInboundOriginalAnswer = unknown
export type IssueStateInput = 'unstarted' | 'in_progress' | 'in_review' | 'done' | 'closed'
export type Language = 'en' | 'vi'
export type LanguageInput = 'en' | 'vi'
export type MailKind =
  | 'verification'
  | 'password_reset'
  | 'two_factor_removed'
  | 'invitation'
  | 'new_message'
  | 'new_conversation'
  | 'mention'
  | 'reply'
  | 'conversation'
  | 'transcript'
  | 'forwarding_test'
  | 'operator'
  | 'billing'
  | 'webhook_off'
  | 'template_failed'
  | 'template_test'
  | 'integration_broken'
  | 'mail_quota'
export type MailSecurity = 'tls' | 'starttls' | 'none'
export type MailboxFolders = string
export type MessageTypeInput = 'reply' | 'note' | 'bot'
export type MessageSourceInput = 'chat' | 'slack' | 'mattermost' | 'email' | 'sms' | 'api' | 'sandbox'
export type NotifyAbout = 'all' | 'mine' | 'unassigned' | 'mentions'
export type NotifyAboutInput = 'all' | 'mine' | 'unassigned' | 'mentions'
export type RoleInput = 'admin' | 'user'
export type SlackType = 'reply' | 'support'
export type SlackTypeInput = 'reply' | 'support'
export type SlackNotifyAnswer = {
  ok: boolean
  channel: string
  ts: string
} | null

export interface Account {
  id: string
  object: 'account'
  company_name: string
  company_logo_url: string | null
  time_zone: string | null
  subscription_plan: SubscriptionPlan
  working_hours: WorkingHours[]
  is_outside_working_hours: boolean
  current_minutes_since_midnight: number | null
  settings: AccountSettings
  users: User[]
  widget_settings: WidgetSettingsRow[]
}
export interface WorkingHours {
  day:
    | 'everyday'
    | 'weekdays'
    | 'weekends'
    | 'monday'
    | 'tuesday'
    | 'wednesday'
    | 'thursday'
    | 'friday'
    | 'saturday'
    | 'sunday'
  start_minute: number
  end_minute: number
}
export interface AccountSettings {
  disable_automated_reply_emails?: boolean | null
  conversation_reminders_enabled?: boolean | null
  conversation_reminder_hours_interval?: number | null
  max_num_conversation_reminders?: number | null
  retention_days?: number | null
  trust_unsigned_ids?: boolean | null
  members_manage_customers?: boolean | null
  members_watch_sessions?: boolean | null
  hide_watched_sign?: boolean | null
  instant_replay?: boolean | null
  replay_hosts?: string[] | null
}
export interface User {
  id: number
  object: 'user'
  account_id: string
  email: string
  role: Role
  full_name: string | null
  display_name: string | null
  profile_photo_url: string | null
  created_at: string
  disabled_at: string | null
  archived_at: string | null
}
export interface WidgetSettingsRow {
  id: string
  object: 'widget_settings'
  account_id: string
  inbox_id: string
  created_at: string
  updated_at: string
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
  show_agent_availability: boolean
  agent_available_text: string | null
  agent_unavailable_text: string | null
  is_hide_voice: boolean
  is_hide_attachments: boolean
  require_email_upfront: boolean
  require_name_upfront: boolean
  require_phone_upfront: boolean
  use_company_profile_only: boolean
  is_open_by_default: boolean
  is_branding_hidden: boolean
  icon_variant: 'outlined' | 'filled'
  custom_icon_url: string | null
  iframe_url_override: string | null
  base_url: string | null
}
export interface AccountAuthorization {
  id: string
  created_at: string
  token_type: string | null
  scope: string | null
}
export interface AccountChanged {
  id: string
  object: 'account'
  company_name: string
  company_logo_url: string | null
  time_zone: string | null
  subscription_plan: SubscriptionPlan
  working_hours: WorkingHours[]
  settings: AccountSettings
}
export interface AccountChangesInput {
  company_name?: string
  company_logo_url?: string | null
  time_zone?: string | null
  /**
   * @maxItems 50
   */
  working_hours?: WorkingHoursInput[]
  settings?: {
    disable_automated_reply_emails?: (boolean | string) | null
    conversation_reminders_enabled?: (boolean | string) | null
    conversation_reminder_hours_interval?: (number | string) | null
    max_num_conversation_reminders?: (number | string) | null
    retention_days?: (number | string) | null
    trust_unsigned_ids?: (boolean | string) | null
    members_manage_customers?: (boolean | string) | null
    members_watch_sessions?: (boolean | string) | null
    hide_watched_sign?: (boolean | string) | null
    instant_replay?: (boolean | string) | null
    replay_hosts?: string[] | null
  }
}
export interface WorkingHoursInput {
  day:
    | 'everyday'
    | 'weekdays'
    | 'weekends'
    | 'monday'
    | 'tuesday'
    | 'wednesday'
    | 'thursday'
    | 'friday'
    | 'saturday'
    | 'sunday'
  start_minute: number | string
  end_minute: number | string
}
export interface AuditDetails {
  fields?: string[]
  changes?: {
    [k: string]: {
      from: unknown
      to: unknown
    }
  }
  [k: string]: unknown
}
export interface AuditEntry {
  id: string
  action: string
  user_id: number | null
  user: User | null
  subject_id: string | null
  subject_name: string | null
  details: AuditDetails
  address: string | null
  created_at: string
}
export interface AuditExportQuery {
  action?: string
  user_id?: number | string
  from?: string
  to?: string
}
export interface AuditListQuery {
  action?: string
  user_id?: number | string
  from?: string
  to?: string
  after?: string
}
export interface Authorization {
  id: string
  object: 'authorization'
  integration: IntegrationName
  inbox_id: string | null
  user_id: number | null
  label: string
  state: IntegrationState
  way_in: Transport
  last_in_at: string | null
  last_out_at: string | null
  problem: string | null
  problem_at: string | null
  paused_until: string | null
  notice: string | null
  notice_at: string | null
  created_at: string
  updated_at: string
}
export interface AuthorizationInList {
  id: string
  object: 'authorization'
  integration: IntegrationName
  inbox_id: string | null
  user_id: number | null
  label: string
  state: IntegrationState
  way_in: Transport
  last_in_at: string | null
  last_out_at: string | null
  problem: string | null
  problem_at: string | null
  paused_until: string | null
  notice: string | null
  notice_at: string | null
  created_at: string
  updated_at: string
  waiting_count: number
  held_count: number
  failed_count: number
  failed_inbound_count: number
}
export interface BacklogCount {
  waiting: number
  running: number
  failed: number
  oldest_seconds: number
  overdue_seconds: number
}
export interface BacklogOf {
  name: BacklogName
  count: BacklogCount | null
}
export interface BillingInfo {
  payment_method: PaymentMethod | null
  subscription: Subscription | null
  product: Product | null
  subscription_plan: SubscriptionPlan
  num_users: number
  num_messages: number
  num_messages_this_month: number
  payment_failed_at: string | null
  grace_until: string | null
  payment_url: string | null
  had_trial: boolean
  has_portal: boolean
}
export interface PaymentMethod {
  id: string
  object: 'payment_method'
  customer: string | null
  brand: string
  country: string | null
  exp_month: number
  exp_year: number
  last4: string
}
export interface Subscription {
  id: string
  livemode: boolean
  start_date: number
  status: string
  current_period_start: number
  current_period_end: number
  trial_start: number | null
  trial_end: number | null
  days_until_due: number | null
  quantity: number
  discount: Discount | null
  prices: Price[]
  cancel_at_period_end: boolean
}
export interface Discount {
  id: string
  name: string | null
  livemode: boolean
  duration: string
  duration_in_months: number | null
  percent_off: number | null
  amount_off: number | null
  currency: string | null
  valid: boolean
  redeem_by: number | null
  times_redeemed: number
}
export interface Price {
  id: string
  active: boolean
  unit_amount: number | null
  amount_decimal: string | null
  currency: string
  created: number
  billing_scheme: string
  interval: string | null
  interval_count: number | null
  product_id: string
}
export interface Product {
  id: string
  name: string
  active: boolean
  code: string | null
}
export interface BillingInvoicesQuery {
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface BrowserSession {
  id: string
  object: 'browser_session'
  account_id: string
  customer_id: string | null
  metadata: {
    [k: string]: unknown
  } | null
  started_at: string | null
  finished_at: string | null
  updated_at: string
}
export interface BrowserSessionsCountAnswer {
  count: number
}
export interface BrowserSessionsCountQuery {
  customer_id?: string
  ids?: string | string[]
  active?: boolean | string
}
export interface BrowserSessionsListQuery {
  customer_id?: string
  ids?: string | string[]
  active?: boolean | string
  limit?: (number | string) | ''
}
export interface BrowserSessionsRetrieveAnswer {
  id: string
  object: 'browser_session'
  account_id: string
  customer_id: string | null
  metadata: {
    [k: string]: unknown
  } | null
  started_at: string | null
  finished_at: string | null
  updated_at: string
  customer: Customer | null
  browser_replay_events: unknown[]
}
export interface Customer {
  id: string
  object: 'customer'
  name: string | null
  email: string | null
  phone: string | null
  external_id: string | null
  profile_photo_url: string | null
  company_id: string | null
  host: string | null
  pathname: string | null
  current_url: string | null
  browser: string | null
  os: string | null
  metadata: {
    [k: string]: unknown
  }
  created_at: string
  updated_at: string
  title: string
  nickname: string
  first_seen: string
  last_seen_at: string
  ip: string | null
  time_zone: string | null
  blocked_at: string | null
  complained_at: string | null
  field_sources: {
    [k: string]: FieldSource
  }
  claimed_external_id: string | null
  claimed_customer_id: string | null
}
export interface BrowserSessionsUpdateInput {
  customer_id?: string | null
  metadata?: {
    [k: string]: unknown
  } | null
  started_at?: string
  finished_at?: string | null
}
export interface Message {
  id: string
  object: 'message'
  account_id: string
  conversation_id: string
  number: number
  body: string | null
  type: MessageType
  content_type: string
  private: boolean
  source: MessageSource
  created_at: string
  sent_at: string | null
  seen_at: string | null
  edited_at: string | null
  customer_id: string | null
  user_id: number | null
  metadata: {
    [k: string]: unknown
  } | null
  email_subject: string | null
  email_html: string | null
  template: MessageTemplate | null
  user: User | null
  external_author?: string
  customer?: Customer | null
  attachments: StoredFile[]
}
export interface MessageTemplate {
  header?: {
    type?: string
    text: string
  } | null
  buttons?:
    | {
        type?: string
        text: string
      }[]
    | null
}
export interface StoredFile {
  id: string
  object: 'file'
  file_url: string
  content_type: string
  filename: string
  width: number | null
  height: number | null
}
export interface MessageDeleted {
  id: string
  conversation_id: string
  number: number
}
export interface MessagesSeen {
  conversation_id: string
  seen_at: string
  up_to_number: number
}
export interface Conversation {
  id: string
  object: 'conversation'
  account_id: string
  customer_id: string
  inbox_id: string
  assignee_id: number | null
  source: ConversationSource
  subject: string | null
  status: ConversationStatus
  priority: Priority
  read: boolean
  metadata: {
    [k: string]: unknown
  } | null
  created_at: string
  updated_at: string
  last_activity_at: string
  closed_at: string | null
  closed_by_id: number | null
  archived_at: string | null
  first_replied_at: string | null
  snoozed_at: string | null
  snoozed_until: string | null
  last_number: number
  version: number
  unseen_mention_user_ids: number[]
  unproven: UnprovenWords | null
  customer: Customer
  messages: Message[]
  tags: Tag[]
  mentions: Mention[]
}
export interface UnprovenWords {
  up_to_number: number
  claims: {
    [k: string]: unknown
  }
}
export interface Tag {
  id: string
  object: 'tag'
  name: string
  description: string | null
  color: string | null
  created_at: string
  updated_at: string
}
export interface Mention {
  id: string
  object: 'mention'
  account_id: string
  conversation_id: string
  message_id: string
  user_id: number
  seen_at: string | null
  created_at: string
  user: User | null
}
export interface ConversationRow {
  id: string
  object: 'conversation'
  account_id: string
  customer_id: string
  inbox_id: string
  assignee_id: number | null
  source: ConversationSource
  subject: string | null
  status: ConversationStatus
  priority: Priority
  read: boolean
  metadata: {
    [k: string]: unknown
  } | null
  created_at: string
  updated_at: string
  last_activity_at: string
  closed_at: string | null
  closed_by_id: number | null
  archived_at: string | null
  first_replied_at: string | null
  snoozed_at: string | null
  snoozed_until: string | null
  last_number: number
  version: number
  unseen_mention_user_ids: number[]
  unproven: UnprovenWords | null
}
export interface ConversationStatusChanged {
  id: string
  status: ConversationStatus
  closed_at: string | null
}
export interface Rating {
  id: string
  object: 'rating'
  conversation_id: string
  user_id: number | null
  score: number
  comment: string | null
  created_at: string
  updated_at: string
}
export interface Gone {
  id: string
}
export interface ConversationsMoved {
  customer: Customer
  conversation_ids: string[]
  from_customer_id: string
}
export interface SavedFilter {
  id: string
  object: 'customer_filter'
  name: string
  query: {
    [k: string]: string
  }
  created_at: string
  updated_at: string
}
export interface ImportProgress {
  id: string
  object: 'customer_import'
  status: 'waiting' | 'running' | 'done'
  rows_total: number
  rows_done: number
  created_count: number
  updated_count: number
  failed_count: number
  updated_at: string
}
export interface Company {
  id: string
  object: 'company'
  account_id: string
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
  metadata: {
    [k: string]: unknown
  } | null
  created_at: string
  updated_at: string
}
export interface Inbox {
  id: string
  object: 'inbox'
  account_id: string
  name: string
  description: string | null
  slug: string | null
  is_primary: boolean
  is_private: boolean
  created_at: string
  updated_at: string
}
export interface CustomerNote {
  id: string
  object: 'note'
  body: string
  content_type: 'text'
  customer_id: string
  author_id: number
  created_at: string
  updated_at: string
  author: User | null
}
export interface Issue {
  id: string
  object: 'issue'
  account_id: string
  title: string
  body: string | null
  state: IssueState
  github_issue_url: string | null
  creator_id: number | null
  assignee_id: number | null
  finished_at: string | null
  closed_at: string | null
  created_at: string
  updated_at: string
}
export interface Delivery {
  id: string
  object: 'delivery'
  authorization_id: string | null
  integration: IntegrationName
  conversation_id: string | null
  message_id: string | null
  kind: DeliveryKind
  state: DeliveryState
  tries: number
  next_try_at: string | null
  problem: string | null
  needs_connection: boolean
  sent_at: string | null
  created_at: string
  updated_at: string
}
export interface CompaniesListQuery {
  q?: string
  limit?: (number | string) | ''
}
export interface CompaniesUpdateInput {
  name?: string
  description?: string | null
  website_url?: string | null
  external_id?: string | null
  logo_image_url?: string | null
  industry?: string | null
  slack_channel_id?: string | null
  slack_channel_name?: string | null
  slack_team_id?: string | null
  slack_team_name?: string | null
  metadata?: {
    [k: string]: unknown
  } | null
}
export interface CompanyDraftInput {
  name: string
  description?: string | null
  website_url?: string | null
  external_id?: string | null
  logo_image_url?: string | null
  industry?: string | null
  slack_channel_id?: string | null
  slack_channel_name?: string | null
  slack_team_id?: string | null
  slack_team_name?: string | null
  metadata?: {
    [k: string]: unknown
  } | null
}
export interface ConnectionProblem {
  id: string
  integration: IntegrationName
  inbox_id: string | null
  label: string
  state: IntegrationState
  problem: string | null
  problem_at: string | null
}
export interface ConsumerHealth {
  name: string
  lag_seconds: number
  failures: number
}
export interface ConversationChangesInput {
  status?: ConversationStatusInput
  priority?: PriorityInput
  read?: boolean | string
  assignee_id?: null | '' | (number | string)
  inbox_id?: string
  subject?: string | null
  metadata?: {
    [k: string]: unknown
  } | null
  archived_at?: string | null
  snoozed?: SnoozeInput | null
}
export interface SnoozeInput {
  until: string | null
}
export interface ConversationChannel {
  integration: IntegrationName
  inbox_id: string | null
  waits: boolean
  problem: string
}
export interface ConversationDraftInput {
  id?: string | null
  account_id?: string | null
  customer_id?: string | null
  inbox_id?: string | null
  source?: ConversationSourceInput | null
  subject?: string | null
  metadata?: {
    [k: string]: unknown
  } | null
  status?: ConversationStatusInput | null
  priority?: PriorityInput | null
  assignee_id?: (number | string) | null
  message?: {
    id?: string | null
    body?: string | null
    sent_at?: string | null
  } | null
}
export interface ConversationForwardingForwardAnswer {
  ok: boolean
}
export interface ConversationForwardingForwardInput {
  key?: string | null
  to: string
  note?: string | null
}
export interface ConversationTotals {
  conversations: {
    open: number
    assigned: number
    unassigned: number
    priority: number
    snoozed: number
    closed: number
  }
  inboxes: {
    [k: string]: number
  }
}
export interface ConversationsCountAnswer {
  count: number
}
export interface ConversationsCountQuery {
  status?: ConversationStatusInput
  priority?: PriorityInput
  read?: boolean | string
  assignee_id?: null | string | number
  mentioning?: null | string | number
  has_seen_mention?: boolean | string
  customer_id?: string
  company_id?: string
  inbox_id?: string
  source?: ConversationSourceInput
  tag_id?: string
  snoozed?: boolean | string
  q?: string
}
export interface ConversationsListQuery {
  status?: ConversationStatusInput
  priority?: PriorityInput
  read?: boolean | string
  assignee_id?: null | string | number
  mentioning?: null | string | number
  has_seen_mention?: boolean | string
  customer_id?: string
  company_id?: string
  inbox_id?: string
  source?: ConversationSourceInput
  tag_id?: string
  snoozed?: boolean | string
  q?: string
  after?: string
  limit?: (number | string) | ''
  messages?: 'last' | 'all'
}
export interface ConversationsRelatedQuery {
  limit?: (number | string) | ''
}
export interface ConversationsRetrieveQuery {
  messages?: 'last' | 'all'
}
export interface ConversationsUnreadAnswer {
  conversations: {
    open: number
    unread: number
    assigned: number
    unassigned: number
    priority: number
    closed: number
    mentioned: number
  }
  inboxes: {
    [k: string]: number
  }
  totals: ConversationTotals
  [k: string]: unknown
}
export interface ConversationsUpdateManyAnswer {
  changed: ConversationRow[]
  refused: {
    id: string
    message: string
  }[]
}
export interface CountedTag {
  id: string
  object: 'tag'
  name: string
  description: string | null
  color: string | null
  created_at: string
  updated_at: string
  customers_count?: number
  conversations_count?: number
}
export interface CustomerChangesInput {
  name?: string | null
  email?: string | null
  phone?: string | null
  external_id?: string | null
  profile_photo_url?: string | null
  time_zone?: string | null
  company_id?: string | null
  metadata?: {
    [k: string]: unknown
  } | null
}
export interface CustomerImport {
  id: string
  object: 'customer_import'
  filename: string
  encoding: ImportEncoding | null
  columns: string[]
  mapping: (ImportField | null)[]
  preview: string[][]
  status: 'waiting' | 'running' | 'done'
  rows_total: number
  rows_done: number
  created_count: number
  updated_count: number
  failed_count: number
  errors: {
    row: number
    message: string
  }[]
  created_at: string
  updated_at: string
}
export interface CustomerImportsListQuery {
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface CustomerImportsStartInput {
  /**
   * @maxItems 200
   */
  mapping: (ImportFieldInput | null)[]
}
export interface CustomerImportsUploadInput {
  file?: Blob
  content?: string
  filename?: string
  encoding?: ImportEncodingInput | null
}
export interface CustomerProfile {
  id: string
  object: 'customer'
  name: string | null
  email: string | null
  phone: string | null
  external_id: string | null
  profile_photo_url: string | null
  company_id: string | null
  host: string | null
  pathname: string | null
  current_url: string | null
  browser: string | null
  os: string | null
  metadata: {
    [k: string]: unknown
  }
  created_at: string
  updated_at: string
  title: string
  nickname: string
  first_seen: string
  last_seen_at: string
  ip: string | null
  time_zone: string | null
  blocked_at: string | null
  complained_at: string | null
  field_sources: {
    [k: string]: FieldSource
  }
  claimed_external_id: string | null
  claimed_customer_id: string | null
  company?: Company | null
  tags?: Tag[]
  conversations?: ConversationRow[]
  messages?: Message[]
  notes?: CustomerNote[]
  issues?: Issue[]
  merged_at?: string | null
}
export interface CustomersCreateInput {
  name?: string | number | null
  email?: string | number | null
  phone?: string | number | null
  external_id?: string | number | null
  profile_photo_url?: string | number | null
  host?: string | number | null
  pathname?: string | number | null
  current_url?: string | number | null
  browser?: string | number | null
  browser_version?: string | number | null
  browser_language?: string | number | null
  os?: string | number | null
  lib?: string | number | null
  time_zone?: string | number | null
  screen_height?: string | number | null
  screen_width?: string | number | null
  metadata?: {
    [k: string]: unknown
  } | null
  account_id?: string | null
  company_id?: string | null
  first_seen?: string | null
}
export interface CustomersExportQuery {
  q?: string
  include_anonymous?: boolean | string
  tag_id?: string
  tag_ids?: string | string[]
  company_id?: string
  issue_id?: string
  external_id?: string
  blocked?: boolean | string
  name?: string
  email?: string
  phone?: string
  host?: string
  pathname?: string
  current_url?: string
  browser?: string
  browser_version?: string
  browser_language?: string
  os?: string
  time_zone?: string
}
export interface CustomersIdentifyAnswer {
  customer_id: string | null
}
export interface CustomersIdentifyQuery {
  external_id?: unknown
  account_id?: unknown
  email?: unknown
  host?: unknown
}
export interface CustomersListFiltersQuery {
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface CustomersListQuery {
  q?: string
  include_anonymous?: boolean | string
  tag_id?: string
  tag_ids?: string | string[]
  company_id?: string
  issue_id?: string
  external_id?: string
  blocked?: boolean | string
  name?: string
  email?: string
  phone?: string
  host?: string
  pathname?: string
  current_url?: string
  browser?: string
  browser_version?: string
  browser_language?: string
  os?: string
  time_zone?: string
  page?: (number | string) | ''
  page_size?: (number | string) | ''
  limit?: (number | string) | ''
  format?: string
  order?: 'seen' | 'created'
  after?: string
}
export interface CustomersMergeInput {
  customer_id: string
}
export interface CustomersPageVisitsQuery {
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface CustomersRetrieveQuery {
  expand?: string | string[]
}
export interface CustomersSaveFilterInput {
  name: string
  query: {
    [k: string]: string
  }
}
export interface DeadJob {
  id: string
  name: string
  payload: {
    [k: string]: unknown
  }
  created_at: string
  failed_at: string | null
  error: string | null
}
export interface DeletedConversation {
  id: string
  object: 'conversation'
  account_id: string
  customer_id: string
  inbox_id: string
  assignee_id: number | null
  source: ConversationSource
  subject: string | null
  status: ConversationStatus
  priority: Priority
  read: boolean
  metadata: {
    [k: string]: unknown
  } | null
  created_at: string
  updated_at: string
  last_activity_at: string
  closed_at: string | null
  closed_by_id: number | null
  archived_at: string | null
  first_replied_at: string | null
  snoozed_at: string | null
  snoozed_until: string | null
  last_number: number
  version: number
  unseen_mention_user_ids: number[]
  unproven: UnprovenWords | null
  customer: Customer
  messages: Message[]
  tags: Tag[]
  mentions: Mention[]
  deleted_by: User | null
}
export interface DeletedConversationsListQuery {
  q?: string
  after?: string
  limit?: (number | string) | ''
}
export interface DeliveriesListQuery {
  state?: DeliveryStateInput
  authorization_id?: string
  after?: string
  limit?: (number | string) | ''
}
export interface DeliveriesOfConversationQuery {
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface DeliveriesSettleHeldAnswer {
  count: number
}
export interface DeliveriesSettleHeldInput {
  action: 'send' | 'discard'
}
export interface DraftChangeInput {
  body: string
  type: 'reply' | 'note'
  /**
   * @maxItems 100
   */
  mentioned_user_ids?: (number | string)[]
  /**
   * @maxItems 20
   */
  file_ids?: string[]
  revision: number
}
export interface EmailTemplate {
  subject: string
  body: string
  color: string
  kind: TemplateKind
  is_default: boolean
  version_id: string | null
  failed_at: string | null
  failure: string | null
}
export interface EmailTemplateVersion {
  id: string
  subject: string
  user_id: number | null
  created_at: string
  is_current: boolean
}
export interface EmailTemplatesListQuery {
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface EmailTemplatesPreviewAnswer {
  subject: string
  html: string
  text: string
  problems: TemplateProblem[]
}
export interface TemplateProblem {
  field: 'subject' | 'body'
  line: number
  message: string
}
export interface EmailTemplatesPreviewInput {
  subject: string
  body: string
  color: string
}
export interface EmailTemplatesSaveInput {
  subject: string
  body: string
  color: string
}
export interface EmailTemplatesTestAnswer {
  recipient: string
}
export interface EmailTemplatesTestInput {
  subject: string
  body: string
  color: string
}
export interface EmailTemplatesVersionsQuery {
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface Erased {
  conversations: number
  messages: number
  files: number
}
export interface ErasureExportAnswer {
  [k: string]: unknown
}
export interface EventSubscription {
  id: string
  object: 'event_subscription'
  account_id: string
  webhook_url: string
  verified: boolean
  scope: string | null
  events: (
    | 'message:created'
    | 'message:updated'
    | 'message:deleted'
    | 'messages:seen'
    | 'messages:read'
    | 'conversation:created'
    | 'conversation:updated'
    | 'conversation:destroyed'
    | 'conversation:rated'
    | 'conversation:tagged'
    | 'customer:updated'
    | 'customer:deleted'
    | 'customer:tagged'
    | 'note:created'
    | 'note:updated'
    | 'note:deleted'
  )[]
  state: 'healthy' | 'failing' | 'off'
  failing_since: string | null
  switched_off_at: string | null
  created_at: string
  updated_at: string
}
export interface EventSubscriptionsCreateInput {
  webhook_url: string
  events?:
    | (
        | 'message:created'
        | 'message:updated'
        | 'message:deleted'
        | 'messages:seen'
        | 'messages:read'
        | 'conversation:created'
        | 'conversation:updated'
        | 'conversation:destroyed'
        | 'conversation:rated'
        | 'conversation:tagged'
        | 'customer:updated'
        | 'customer:deleted'
        | 'customer:tagged'
        | 'note:created'
        | 'note:updated'
        | 'note:deleted'
      )[]
    | null
  scope?: string | null
}
export interface EventSubscriptionsDeliveriesQuery {
  state?: 'pending' | 'delivered' | 'parked'
  event?: string
  after?: string
  limit?: (number | string) | ''
}
export interface EventSubscriptionsListQuery {
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface EventSubscriptionsResendSinceAnswer {
  count: number
}
export interface EventSubscriptionsResendSinceInput {
  since: string
}
export interface EventSubscriptionsUpdateInput {
  webhook_url?: string
  events?:
    | (
        | 'message:created'
        | 'message:updated'
        | 'message:deleted'
        | 'messages:seen'
        | 'messages:read'
        | 'conversation:created'
        | 'conversation:updated'
        | 'conversation:destroyed'
        | 'conversation:rated'
        | 'conversation:tagged'
        | 'customer:updated'
        | 'customer:deleted'
        | 'customer:tagged'
        | 'note:created'
        | 'note:updated'
        | 'note:deleted'
      )[]
    | null
  scope?: string | null
  is_enabled?: (boolean | string) | null
}
export interface EventSubscriptionsVerifyAnswer {
  verified: boolean
  problem?: UrlProblem
  status?: number
}
export interface EventSubscriptionsVerifyInput {
  url: string
}
export interface EventsPageAnswer {
  data: ClientEvent[]
  cursor: string
  more: boolean
  reset: boolean
}
export interface EventsPageQuery {
  after?: string
  limit?: (number | string) | ''
}
export interface Excerpt {
  text: string
  ranges: {
    start: number
    end: number
  }[]
}
export interface FilesUploadInput {
  account_id?: string
  file: Blob
}
export interface ForwardingAddress {
  id: string
  object: 'forwarding_address'
  account_id: string
  inbox_id: string | null
  forwarding_email_address: string
  source_email_address: string
  description: string | null
  state: 'pending' | 'verified'
  takes_lists: boolean
  takes_forms: boolean
  verified_at: string | null
  last_in_at: string | null
  confirmation: ForwardingConfirmation | null
  created_at: string
  updated_at: string
}
export interface ForwardingConfirmation {
  from: string
  code: string | null
  link: string | null
  at: string
}
export interface ForwardingAddressDraftInput {
  source_email_address: string
  description?: string | null
  inbox_id?: string | null
  takes_lists?: (boolean | string) | null
  takes_forms?: (boolean | string) | null
}
export interface ForwardingAddressesListQuery {
  inbox_id?: string
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface ForwardingAddressesUpdateInput {
  source_email_address?: string
  description?: string | null
  inbox_id?: string | null
  takes_lists?: (boolean | string) | null
  takes_forms?: (boolean | string) | null
}
export interface FunctionRun {
  id: string
  object: 'function_run'
  event: string
  state: 'queued' | 'running' | 'succeeded' | 'failed'
  is_test: boolean
  result?: unknown
  error: {
    errorType: string
    errorMessage: string
    trace: string[]
  } | null
  logs: {
    level: 'log' | 'info' | 'warn' | 'error' | 'debug'
    text: string
  }[]
  duration_ms: number | null
  created_at: string
  started_at: string | null
}
export interface FunctionsCreateInput {
  name: string
  description?: string | null
  code?: string | null
  language?: string | null
  runtime?: string | null
  metadata?: {
    [k: string]: unknown
  } | null
  events?:
    | (
        | 'message:created'
        | 'message:updated'
        | 'message:deleted'
        | 'messages:seen'
        | 'messages:read'
        | 'conversation:created'
        | 'conversation:updated'
        | 'conversation:destroyed'
        | 'conversation:rated'
        | 'conversation:tagged'
        | 'customer:updated'
        | 'customer:deleted'
        | 'customer:tagged'
        | 'note:created'
        | 'note:updated'
        | 'note:deleted'
      )[]
    | null
}
export interface FunctionsDeployInput {
  name?: string | null
  description?: string | null
  code?: string | null
  file?: Blob
}
export interface FunctionsInvokeInput {
  event: string
  payload?: unknown
  is_draft?: (boolean | string) | null
}
export interface FunctionsListQuery {
  status?: 'pending' | 'active' | 'inactive'
  name?: string
  q?: string
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface FunctionsRunsQuery {
  limit?: (number | string) | ''
}
export interface FunctionsUpdateInput {
  name?: string | null
  description?: string | null
  code?: string | null
  language?: string | null
  runtime?: string | null
  metadata?: {
    [k: string]: unknown
  } | null
  events?:
    | (
        | 'message:created'
        | 'message:updated'
        | 'message:deleted'
        | 'messages:seen'
        | 'messages:read'
        | 'conversation:created'
        | 'conversation:updated'
        | 'conversation:destroyed'
        | 'conversation:rated'
        | 'conversation:tagged'
        | 'customer:updated'
        | 'customer:deleted'
        | 'customer:tagged'
        | 'note:created'
        | 'note:updated'
        | 'note:deleted'
      )[]
    | null
  status?: ('pending' | 'active' | 'inactive') | null
}
export interface GithubAuthorization {
  id: string
  created_at: string
  token_type: string | null
  scope: string | null
  kind: 'app' | 'token'
  label: string
  settings: GithubSettings
}
export interface GithubSettings {
  closes_issues: boolean
}
export interface GithubCreateIssueInput {
  owner: string
  repo: string
  issue: {
    title: string
    body?: string | null
  }
}
export interface GithubIssue {
  number: number
  title: string
  body?: string | null
  state: string
  html_url: string
  [k: string]: unknown
}
export interface GithubIssuesQuery {
  url?: string
  owner?: string
  repo?: string
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface GithubRepositoriesQuery {
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface GithubRepository {
  id: number
  name: string
  full_name: string
  html_url: string
  private: boolean
  [k: string]: unknown
}
export interface GithubSaveSettingsInput {
  closes_issues: boolean | string
}
export interface GoogleAuthorization {
  id: string
  created_at: string
  updated_at: string
  account_id: string
  inbox_id: string | null
  user_id: number | null
  scope: string | null
  sheets: SheetsSettings | null
}
export interface SheetsSettings {
  adds_customers: boolean
  spreadsheet_url: string | null
}
export interface GoogleProfileQuery {
  inbox_id?: string
  type?: OAuthTypeInput
}
export interface GoogleRetrieveQuery {
  client: GoogleClientInput
  type?: string
  inbox_id?: string
}
export interface GoogleSaveSettingsInput {
  adds_customers: boolean | string
}
export interface GoogleSendAnswer {
  id: string
  [k: string]: unknown
}
export interface GoogleSendInput {
  to?: string | null
  recipient?: string | null
  from?: string | null
  subject?: string | null
  text?: string | null
  message?: string | null
  inbox_id?: string | null
}
export interface HealthReport {
  object: 'health_report'
  checked_at: string
  backlogs: BacklogOf[]
  webhooks: {
    failing: number
    switched_off: number
  }
  broken_connections: number
  connections: ConnectionProblem[]
  installation: InstallationHealth | null
}
export interface InstallationHealth {
  version: string
  companies: number
  servers: ServerSeen[]
  backlogs: BacklogOf[]
  consumers: ConsumerHealth[]
  database_bytes: number | null
  disk: {
    free_bytes: number
    total_bytes: number
  } | null
  checks: {
    name: 'database' | 'migrations' | 'storage' | 'bus' | 'files'
    ok: boolean
  }[]
  backed_up_at: string | null
  sends_mail: boolean
  mail_problem: string | null
  refused_signatures: RefusedSignatures[]
}
export interface ServerSeen {
  id: string
  name: string
  version: string
  started_at: string
  seen_at: string
  is_missing: boolean
  is_this: boolean
}
export interface RefusedSignatures {
  system: string
  count: number
  first_at: string
  last_at: string
}
export interface HubspotContact {
  id: string
  properties?: {
    [k: string]: string | null
  }
  hubspot_profile_url: string | null
  [k: string]: unknown
}
export interface HubspotContactsQuery {
  email?: string
  first_name?: string
  last_name?: string
  phone?: string
  company?: string
  website?: string
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface HubspotCreateContactInput {
  email?: string | null
  first_name?: string | null
  last_name?: string | null
  phone?: string | null
  company?: string | null
  website?: string | null
}
export interface InboundEvent {
  id: string
  object: 'inbound_event'
  integration: IntegrationName
  authorization_id: string | null
  state: 'waiting' | 'done' | 'ignored' | 'failed'
  reason: string | null
  tries: number
  conversation_id: string | null
  has_original: boolean
  created_at: string
}
export interface InboxDraftInput {
  name: string
  description?: string | null
  is_private?: (boolean | string) | null
}
export interface InboxesDestroyQuery {
  move_to?: string
}
export interface InboxesListQuery {
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface InboxesUpdateInput {
  name?: string
  description?: string | null
  is_private?: (boolean | string) | null
}
export interface Installation {
  inbox_id: string
  host: string | null
  pathname: string | null
  last_seen_at: string | null
}
export interface InstallationAddress {
  base_url: string
  may_change: boolean
}
export interface IntegrationApp {
  object: 'integration_app'
  vendor: AppVendor
  source: ('account' | 'server') | null
  client_id: string | null
  client_secret: string | null
  signing_secret: string | null
  redirect_uri: string
}
export interface IntegrationsDestroyQuery {
  discard?: 'true' | 'false'
}
export interface IntegrationsInboundEventsQuery {
  state?: 'waiting' | 'done' | 'ignored' | 'failed'
  authorization_id?: string
  after?: string
  limit?: (number | string) | ''
}
export interface IntegrationsListQuery {
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface IntercomContact {
  id: string
  workspace_id: string | null
  intercom_profile_url: string | null
  [k: string]: unknown
}
export interface IntercomContactsQuery {
  email?: string
  phone?: string
  name?: string
  external_id?: string
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface IntercomCreateContactInput {
  role?: 'user' | 'lead'
  external_id?: string | null
  email?: string | null
  phone?: string | null
  name?: string | null
  avatar?: string | null
  custom_attributes?: {
    [k: string]: unknown
  }
  customer_id?: string | null
}
export interface InvitationsCreateAnswer {
  id: string
  account_id: string
  email: string | null
  created_at: string
  expires_at: string
  token: string
}
export interface InvitationsEmailAnswer {}
export interface InvitationsEmailInput {
  to_address?: string | null
  email?: string | null
}
export interface InvitationsListQuery {
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface InvitationsUpdateInput {
  expires_at?: string | null
}
export interface Invoice {
  id: string
  number: string | null
  status: string | null
  created: number
  total: number
  currency: string
  url: string | null
  pdf: string | null
}
export interface IssueChangesInput {
  title?: string
  body?: string | null
  state?: IssueStateInput | null
  github_issue_url?: string | null
  assignee_id?: null | '' | (number | string)
  finished_at?: string | null
  closed_at?: string | null
}
export interface IssuesCreateInput {
  title: string
  body?: string | null
  state?: IssueStateInput | null
  github_issue_url?: string | null
  assignee_id?: null | '' | (number | string)
  finished_at?: string | null
  closed_at?: string | null
  customer_id?: string | null
}
export interface IssuesLinkAnswer {
  ok: boolean
}
export interface IssuesLinkInput {
  issue_id: string
}
export interface IssuesListQuery {
  q?: string
  customer_id?: string
  issue_id?: string
  state?: IssueStateInput
  title?: string
  github_issue_url?: string
  limit?: (number | string) | ''
}
export interface IssuesUnlinkAnswer {
  ok: boolean
}
export interface Lambda {
  id: string
  object: 'lambda'
  account_id: string
  name: string
  description: string | null
  code: string | null
  language: string
  runtime: string
  status: 'pending' | 'active' | 'inactive'
  events: (
    | 'message:created'
    | 'message:updated'
    | 'message:deleted'
    | 'messages:seen'
    | 'messages:read'
    | 'conversation:created'
    | 'conversation:updated'
    | 'conversation:destroyed'
    | 'conversation:rated'
    | 'conversation:tagged'
    | 'customer:updated'
    | 'customer:deleted'
    | 'customer:tagged'
    | 'note:created'
    | 'note:updated'
    | 'note:deleted'
  )[]
  modules: string[]
  is_changed: boolean
  creator_id: number | null
  metadata: {
    [k: string]: unknown
  } | null
  last_deployed_at: string | null
  last_executed_at: string | null
  created_at: string
  updated_at: string
}
export interface MailOfConversation {
  message_id: string
  direction: 'in' | 'out'
  from_address: string | null
  from_name: string | null
  sender: ('customer' | 'participant' | 'newcomer') | null
  proof: ('pass' | 'fail' | 'none') | null
  recipients: string[]
  cc: string[]
  bcc: string[]
  has_other_recipients: boolean
}
export interface MailOptionsInput {
  to?: string[] | null
  cc?: string[] | null
  bcc?: string[] | null
  subject?: string | null
  quote?: boolean | null
}
export interface MailRecipient {
  address: string
  name: string | null
  is_new: boolean
}
export interface MailRecipients {
  to: MailRecipient[]
  cc: MailRecipient[]
  participants: string[]
  attachable_bytes: number
}
export interface MailboxAuthorization {
  id: string
  object: 'mailbox_authorization'
  inbox_id: string
  address: string
  username: string
  password: string
  imap_host: string
  imap_port: number
  imap_security: MailSecurity
  smtp_host: string
  smtp_port: number
  smtp_security: MailSecurity
  folder: string
  sent_folder: string | null
  marks_read: boolean
  watches_sent: boolean
  takes_forms: boolean
  created_at: string
}
export interface MailboxFoldersQuery {
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface MailboxRetrieveQuery {
  inbox_id: string
}
export interface MailsListQuery {
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface MailsRetrieveAnswer {
  id: string
  kind: MailKind
  recipient: string
  subject: string
  created_at: string
  sent_at: string | null
  kept_at: string | null
  failed_at: string | null
  failure: string | null
  tries: number
  text: string
  html: string
}
export interface MailsSendKeptAnswer {
  count: number
}
export interface ManyChangesInput {
  /**
   * @minItems 1
   * @maxItems 200
   */
  ids: string[]
  changes?: ConversationChangesInput
  tag_id?: string
}
export interface MattermostAuthorization {
  id: string
  object: 'mattermost_authorization'
  inbox_id: string | null
  mattermost_url: string
  channel: string
  channel_id: string
  channel_name: string
  team_id: string
  team_name: string
  team_domain: string
  access_token: string
  verification_token: string
  created_at: string
}
export interface MattermostRetrieveQuery {
  inbox_id?: string
}
export interface Me {
  id: number
  email: string
  account_id: string
  role: Role
}
export interface MessageChangesInput {
  body?: string | null
  metadata?: {
    [k: string]: unknown
  } | null
  type?: MessageTypeInput | null
  private?: (boolean | string) | null
}
export interface MessageDraftInput {
  id?: string | null
  conversation_id: string
  body?: string | null
  type?: MessageTypeInput | null
  private?: (boolean | string) | null
  source?: MessageSourceInput | null
  sent_at?: string | null
  file_ids?: string[] | null
  metadata?: {
    [k: string]: unknown
  } | null
  template?: MessageTemplateInput | null
  customer_id?: string | null
  mentioned_user_ids?: (number | string)[] | null
  last_seen_number?: (number | string) | null
  mail?: MailOptionsInput | null
}
export interface MessageTemplateInput {
  header?: {
    type?: string
    text: string
  } | null
  buttons?:
    | {
        type?: string
        text: string
      }[]
    | null
}
export interface MessageMail {
  message_id: string
  direction: 'in' | 'out'
  subject: string
  from_address: string | null
  from_name: string | null
  answer_to: string | null
  recipients: string[]
  cc: string[]
  bcc: string[]
  html: string | null
  proof: ('pass' | 'fail' | 'none') | null
  bounced_at: string | null
  bounce_reason: string | null
  created_at: string
}
export interface MessageMailsOfConversationQuery {
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface MessagesCountAnswer {
  count: number
}
export interface MessagesDestroyQuery {
  keep_files?: 'true' | 'false'
}
export interface MessagesListQuery {
  conversation_id?: string
  customer_id?: string
  user_id?: number | string
  source?: MessageSourceInput
  type?: MessageTypeInput
  private?: boolean | string
  body?: string
  before?: number | string
  after?: number | string
  around?: (number | string) | 'unread'
  limit?: (number | string) | ''
}
export interface NoteItem {
  id: string
  object: 'note'
  body: string
  content_type: 'text'
  customer_id: string
  author_id: number
  created_at: string
  updated_at: string
  author: User | null
  customer: Customer
}
export interface NotesCreateInput {
  body: string
  customer_id: string
}
export interface NotesListQuery {
  customer_id?: string
  author_id?: number | string
  after?: string
  limit?: (number | string) | ''
}
export interface NotesUpdateInput {
  body?: string
}
export interface OnboardingStatus {
  has_configured_inbox: boolean
  has_configured_profile: boolean
  has_invited_teammates: boolean
  has_integrations: boolean
  has_answered: boolean
  has_upgraded_subscription: boolean
}
export interface OperationsChangeAddressInput {
  base_url: string
}
export interface OperationsDeadJobsQuery {
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface OperationsNotifyOperatorAnswer {
  success: boolean
  result?: string
  error?: string
}
export interface OperationsNotifyOperatorInput {
  text: string
  subject?: string | null
  html?: string | null
}
export interface OperationsRetryDeadJobAnswer {
  ok: boolean
}
export interface PageVisit {
  url: string
  created_at: string
}
export interface ProfileInput {
  display_name?: string | null
  full_name?: string | null
  profile_photo_url?: string | null
}
export interface PublicAccount {
  id: string
  object: 'account'
  company_name: string
  company_logo_url: string | null
  time_zone: string | null
  subscription_plan: SubscriptionPlan
  working_hours: WorkingHours[]
  is_outside_working_hours: boolean
  current_minutes_since_midnight: number | null
}
export interface Report {
  messages_by_date: {
    date: string
    count: number
  }[]
  conversations_by_date: {
    date: string
    count: number
  }[]
  sent_messages_by_date: {
    date: string
    count: number
  }[]
  received_messages_by_date: {
    date: string
    count: number
  }[]
  messages_per_user: {
    user: {
      id: number
      email: string
    }
    count: number
  }[]
  messages_by_weekday: {
    day: string
    average: number
    total: number
  }[]
  messages_by_hour: {
    weekday: number
    hour: number
    count: number
  }[]
  average_time_to_first_reply: number
  median_time_to_first_reply: number
  average_time_to_resolution: number
  median_time_to_resolution: number
  first_reply_metrics_by_week: {
    start_date: string
    end_date: string
    average: number
    median: number
    seconds_to_first_reply_list: number[]
  }[]
  resolution_metrics_by_week: {
    start_date: string
    end_date: string
    average: number
    median: number
    seconds_to_resolution_list: number[]
  }[]
  customer_breakdown_by_browser: {
    browser: string | null
    count: number
  }[]
  customer_breakdown_by_os: {
    os: string | null
    count: number
  }[]
  customer_breakdown_by_time_zone: {
    time_zone: string | null
    count: number
  }[]
  ratings: {
    count: number
    average: number
    by_score: {
      score: number
      count: number
    }[]
  }
  time_zone: string
  is_recounting: boolean
}
export interface ReportingExportConversationsQuery {
  from_date?: string
  to_date?: string
  inbox_id?: string
  source?: 'chat' | 'slack' | 'email' | 'sms' | 'api' | 'sandbox'
  assignee_id?: 'nobody' | (number | string)
  tag_id?: string
}
export interface ReportingExportDaysQuery {
  from_date?: string
  to_date?: string
  inbox_id?: string
  source?: 'chat' | 'slack' | 'email' | 'sms' | 'api' | 'sandbox'
  assignee_id?: 'nobody' | (number | string)
  tag_id?: string
}
export interface ReportingRetrieveQuery {
  from_date?: string
  to_date?: string
  inbox_id?: string
  source?: 'chat' | 'slack' | 'email' | 'sms' | 'api' | 'sandbox'
  assignee_id?: 'nobody' | (number | string)
  tag_id?: string
  working_hours?: boolean | string
  lists?: boolean | string
}
export interface SavedRepliesListQuery {
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface SavedRepliesUpdateInput {
  name?: string
  content?: string
}
export interface SavedReply {
  id: string
  object: 'canned_response'
  name: string
  content: string
  created_at: string
  updated_at: string
}
export interface SavedReplyDraftInput {
  name: string
  content: string
}
export interface SearchFindQuery {
  q?: string
  after?: string
  limit?: (number | string) | ''
}
export interface SearchHit {
  matched: 'message' | 'customer' | 'subject' | 'conversation'
  conversation: {
    id: string
    object: 'conversation'
    account_id: string
    customer_id: string
    inbox_id: string
    assignee_id: number | null
    source: ConversationSource
    subject: string | null
    status: ConversationStatus
    priority: Priority
    read: boolean
    metadata: {
      [k: string]: unknown
    } | null
    created_at: string
    updated_at: string
    last_activity_at: string
    closed_at: string | null
    closed_by_id: number | null
    archived_at: string | null
    first_replied_at: string | null
    snoozed_at: string | null
    snoozed_until: string | null
    last_number: number
    version: number
    unseen_mention_user_ids: number[]
    unproven: UnprovenWords | null
    customer: Customer
  }
  message: {
    id: string
    number: number
    created_at: string
    type: MessageType
    private: boolean
    user_id: number | null
    external_author?: string
    customer_id: string | null
    excerpt: Excerpt
  } | null
}
export interface Share {
  id: string
  created_at: string
  expires_at: string
}
export interface SharingListQuery {
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface SharingShareAnswer {
  ok: boolean
  token: string
  share: Share
}
export interface SignedIdentity {
  inbox_id: string
  is_required: boolean
  secrets: {
    id: string
    object: 'identity_secret'
    hint: string
    created_at: string
    retires_at: string | null
  }[]
}
export interface SignedIdentityCreateSecretAnswer {
  id: string
  object: 'identity_secret'
  hint: string
  created_at: string
  retires_at: string | null
  secret: string
}
export interface SignedIdentityCreateSecretInput {
  identity_secret?: {
    overlap_hours?: (number | string) | null
  } | null
}
export interface SignedIdentityRequireInput {
  is_required: boolean | string
}
export interface SlackAuthorization {
  id: string
  object: 'slack_authorization'
  account_id: string
  inbox_id: string | null
  type: SlackType
  channel: string
  channel_id: string
  configuration_url: string | null
  team_id: string
  team_name: string
  bot_token: string
  app_token: string | null
  settings: {
    sync_all_incoming_threads: boolean
    sync_by_emoji_tagging: boolean
    sync_trigger_emoji: string
    forward_synced_messages_to_reply_channel: boolean
  }
  created_at: string
  updated_at: string
}
export interface SlackAuthorizationQuery {
  type?: SlackTypeInput
  inbox_id?: string
  id?: string
}
export interface SlackAuthorizationsQuery {
  type?: SlackTypeInput
  inbox_id?: string
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface SlackChannel {
  id: string
  name: string
  is_channel: boolean
  is_private: boolean
  is_archived: boolean
  is_member: boolean
  topic: {
    value: string
  }
  purpose: {
    value: string
  }
}
export interface SlackChannelsQuery {
  authorization_id?: string
  slack_authorization_id?: string
  team_id?: string
  type?: SlackTypeInput
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface SlackNotifyInput {
  text: string
  type?: SlackTypeInput | null
  channel?: string | null
}
export interface SlackSettingsInput {
  sync_all_incoming_threads?: (boolean | string) | null
  sync_by_emoji_tagging?: (boolean | string) | null
}
export interface SlackThread {
  id: string
  object: 'slack_conversation_thread'
  account_id: string
  conversation_id: string
  slack_channel: string
  slack_thread_ts: string
  permalink: string | null
  slack_channel_name: string | null
  created_at: string
  updated_at: string
}
export interface SlackThreadsListQuery {
  conversation_id: string
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface StoredDraft {
  body: string
  type: 'reply' | 'note'
  mentioned_user_ids: number[]
  files: {
    id: string
    object: 'file'
    file_url: string
    content_type: string
    filename: string
    width: number | null
    height: number | null
    size: number
  }[]
  revision: number
}
export interface StoredMail {
  id: string
  kind: MailKind
  recipient: string
  subject: string
  created_at: string
  sent_at: string | null
  kept_at: string | null
  failed_at: string | null
  failure: string | null
  tries: number
}
export interface TagDraftInput {
  name: string
  description?: string | null
  color?: string | null
}
export interface TagsAddToConversationAnswer {
  ok: boolean
}
export interface TagsAddToConversationInput {
  tag_id: string
}
export interface TagsAddToCustomerAnswer {
  ok: boolean
}
export interface TagsAddToCustomerInput {
  tag_id: string
}
export interface TagsListQuery {
  counts?: boolean | string
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface TagsRemoveFromConversationAnswer {
  ok: boolean
}
export interface TagsRemoveFromCustomerAnswer {
  ok: boolean
}
export interface TagsUpdateInput {
  name?: string
  description?: string | null
  color?: string | null
}
export interface TwilioAuthorization {
  id: string
  created_at: string
  account_id: string
  inbox_id: string
  from_phone_number: string
  twilio_account_sid: string
  twilio_auth_token: string
  messaging_service_sid: string | null
  stop_words: string[]
}
export interface TwilioMessage {
  sid: string
  status?: string
  [k: string]: unknown
}
export interface TwilioRetrieveQuery {
  inbox_id?: string
}
export interface TwilioSendInput {
  to: string
  body: string
}
export interface UserInvitation {
  id: string
  account_id: string
  email: string | null
  created_at: string
  expires_at: string
}
export interface UserSettings {
  id: string
  object: 'user_settings'
  user_id: number
  email_alert_on_new_message: boolean
  email_alert_on_new_conversation: boolean
  expo_push_token: string | null
  notify_about: NotifyAbout[]
  notification_sound: boolean
  email_alert_on_mention: boolean
  language: Language | null
  label_language: Language | null
  mail_signature: string | null
}
export interface UserSettingsChangesInput {
  email_alert_on_new_message?: (boolean | string) | null
  email_alert_on_new_conversation?: (boolean | string) | null
  expo_push_token?: string | null
  /**
   * @maxItems 4
   */
  notify_about?: NotifyAboutInput[]
  notification_sound?: (boolean | string) | null
  email_alert_on_mention?: (boolean | string) | null
  language?: LanguageInput | null
  label_language?: LanguageInput | null
  mail_signature?: string | null
}
export interface UsersListQuery {
  email?: string
  role?: RoleInput
  active?: boolean | string
  has_valid_email?: boolean | string
  /**
   * Maximum number of items. Without `limit` and `after`, the whole list is returned.
   */
  limit?: number
  /**
   * The `next` of the previous page.
   */
  after?: string
}
export interface UsersSetRoleInput {
  role: string
}
export interface VisitedSession {
  id: string
  object: 'browser_session'
  account_id: string
  customer_id: string | null
  metadata: {
    [k: string]: unknown
  } | null
  started_at: string | null
  finished_at: string | null
  updated_at: string
  customer: Customer | null
}
export interface WebhookAttempt {
  id: string
  at: string
  duration_ms: number
  status: number | null
  error: string | null
  answer: string | null
}
export interface WebhookDelivery {
  id: string
  object: 'webhook_delivery'
  event: string
  state: 'pending' | 'delivered' | 'parked'
  attempts: number
  next_attempt_at: string | null
  created_at: string
  last: WebhookAttempt | null
}
export interface WebhookDeliveryDetails {
  id: string
  object: 'webhook_delivery'
  event: string
  state: 'pending' | 'delivered' | 'parked'
  attempts: number
  next_attempt_at: string | null
  created_at: string
  last: WebhookAttempt | null
  body: string | null
  tries: WebhookAttempt[]
}
export interface WidgetSettings {
  id: string
  object: 'widget_settings'
  account_id: string
  inbox_id: string
  created_at: string
  updated_at: string
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
  show_agent_availability: boolean
  agent_available_text: string | null
  agent_unavailable_text: string | null
  is_hide_voice: boolean
  is_hide_attachments: boolean
  require_email_upfront: boolean
  require_name_upfront: boolean
  require_phone_upfront: boolean
  use_company_profile_only: boolean
  is_open_by_default: boolean
  is_branding_hidden: boolean
  icon_variant: 'outlined' | 'filled'
  custom_icon_url: string | null
  iframe_url_override: string | null
  base_url: string | null
  account: PublicAccount
}
export interface WidgetsUpdateInput {
  color?: string | null
  name?: string | null
  logo?: string | null
  title?: string | null
  subtitle?: string | null
  greeting?: string | null
  away_message?: string | null
  new_message_placeholder?: string | null
  email_input_placeholder?: string | null
  new_messages_notification_text?: string | null
  quick_reply_options?: string | null
  language?: string | null
  show_agent_availability?: (boolean | string) | null
  agent_available_text?: string | null
  agent_unavailable_text?: string | null
  is_hide_voice?: (boolean | string) | null
  is_hide_attachments?: (boolean | string) | null
  require_email_upfront?: (boolean | string) | null
  require_name_upfront?: (boolean | string) | null
  require_phone_upfront?: (boolean | string) | null
  use_company_profile_only?: (boolean | string) | null
  is_open_by_default?: (boolean | string) | null
  is_branding_hidden?: (boolean | string) | null
  icon_variant?: ('outlined' | 'filled') | null
  custom_icon_url?: string | null
  iframe_url_override?: string | null
  base_url?: string | null
  inbox_id?: string | null
}
