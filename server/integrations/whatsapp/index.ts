import { whatsapp } from '#contract/integrations/whatsapp.ts'
import { defineFeature } from '../../feature.ts'
import type { Integration } from '../../integration.ts'
import type { Whatsapp } from './client.ts'
import { testWhatsapp } from './connect.ts'
import { receiveFromWhatsapp } from './incoming.ts'
import { deliverWhatsappMessage, findSent, plan } from './outgoing.ts'
import { registerWhatsappRoutes } from './routes.ts'
import { whatsappSignature } from './signature.ts'

const integration: Integration<Whatsapp> = {
  name: 'whatsapp',
  role: 'origin',
  transport: 'called',
  receive: receiveFromWhatsapp,
  plan,
  deliver: deliverWhatsappMessage,
  findSent,
  reportsWithinMs: 60_000,
  test: testWhatsapp,
}

export const whatsappIntegration = defineFeature({
  name: 'whatsapp',
  calls: [whatsapp],
  routes: [registerWhatsappRoutes],
  integrations: [integration],
  signatures: (context) => ({ whatsapp: whatsappSignature(context) }),
})
