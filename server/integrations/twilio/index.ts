import { twilio } from '#contract/integrations/twilio.ts'
import { defineFeature } from '../../feature.ts'
import type { Integration } from '../../integration.ts'
import type { Twilio } from './client.ts'
import { testTwilio } from './connect.ts'
import { receiveFromTwilio } from './incoming.ts'
import { deliverTwilioMessage, findSent, plan } from './outgoing.ts'
import { pollTwilio } from './polling.ts'
import { registerTwilioRoutes } from './routes.ts'
import { twilioSignature } from './signature.ts'

const integration: Integration<Twilio> = {
  name: 'twilio',
  role: 'origin',
  transport: 'polled',
  poll: pollTwilio,
  receive: receiveFromTwilio,
  plan,
  deliver: deliverTwilioMessage,
  findSent,
  test: (context, authorization) => testTwilio(context, authorization),
}

export const twilioIntegration = defineFeature({
  name: 'twilio',
  calls: [twilio],
  routes: [registerTwilioRoutes],
  integrations: [integration],
  signatures: (context) => ({ twilio: twilioSignature(context) }),
})
