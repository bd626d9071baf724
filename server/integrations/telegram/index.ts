import { telegram } from '#contract/integrations/telegram.ts'
import { defineFeature } from '../../feature.ts'
import type { Integration } from '../../integration.ts'
import { defineSchedule } from '../../platform/jobs/job.ts'
import { testTelegram } from './connect.ts'
import type { Telegram } from './connection.ts'
import { telegramInvitations } from './customer-data.ts'
import { receiveFromTelegram } from './incoming.ts'
import { pruneInvitations } from './invitations.ts'
import { deliverTelegramMessage, findSent, plan } from './outgoing.ts'
import { connect } from './reader.ts'
import { registerTelegramRoutes } from './routes.ts'

const integration: Integration<Telegram> = {
  name: 'telegram',
  role: 'origin',
  transport: 'live',
  connect,
  receive: receiveFromTelegram,
  plan,
  deliver: deliverTelegramMessage,
  findSent,
  test: testTelegram,
}

export const telegramIntegration = defineFeature({
  name: 'telegram',
  calls: [telegram],
  routes: [registerTelegramRoutes],
  integrations: [integration],
  schedules: [defineSchedule('telegram.pruneInvitations', '43 3 * * *', ({ db }) => pruneInvitations(db))],
  customerData: [telegramInvitations],
})
