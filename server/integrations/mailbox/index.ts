import { mailbox } from '#contract/integrations/mailbox.ts'
import { defineFeature } from '../../feature.ts'
import { planAnswersByMailbox } from '../../features/mail/conversation-mails/answering.ts'
import type { Integration } from '../../integration.ts'
import { catchAllConnections } from './catch-all.ts'
import type { Mailbox } from './mailbox.ts'
import { deliverFromMailbox } from './outgoing.ts'
import { receiveFromMailbox } from './receive.ts'
import { registerMailboxRoutes } from './routes.ts'

const integration: Integration<Mailbox> = {
  name: 'mailbox',
  role: 'origin',
  transport: 'live',
  // The library is loaded with the first mailbox.
  connect: async (context, authorization, signal) =>
    (await import('./incoming.ts')).watchMailbox(context, authorization, signal),
  receive: receiveFromMailbox,
  plan: planAnswersByMailbox,
  deliver: deliverFromMailbox,
  test: async (context, authorization) => (await import('./test-mail.ts')).testMailbox(context, authorization),
}

export const mailboxIntegration = defineFeature({
  name: 'mailbox',
  calls: [mailbox],
  routes: [registerMailboxRoutes],
  integrations: [integration],
  liveConnections: catchAllConnections,
})
