import type { SMTPServer } from 'smtp-server'
import { inboundMail } from '#contract/integrations/inbound-mail.ts'
import { perServer } from '../../context.ts'
import { defineFeature } from '../../feature.ts'
import { receiveStoredMail } from '../../features/mail/forwarding-addresses/routing.ts'
import type { Integration } from '../../integration.ts'
import { deliverByMail, plan } from './outgoing.ts'
import { registerInboundMailRoutes } from './relay.ts'
import { inboundMailSignature } from './relay-signature.ts'
import { listenForMail } from './smtp.ts'

/** The SMTP server that receives mail, if enabled. */
const receiving = perServer<{ server?: SMTPServer }>(() => ({}))

/** Mail through the installation's own server: to forwarding addresses and back. */
const mail: Integration = {
  name: 'ses',
  role: 'origin',
  transport: 'called',
  isBuiltIn: true,
  receive: receiveStoredMail,
  plan,
  deliver: deliverByMail,
}

export const inboundMailIntegration = defineFeature({
  name: 'inbound-mail',
  calls: [inboundMail],
  routes: [registerInboundMailRoutes],
  integrations: [mail],
  signatures: (context) => ({ inbound_mail: inboundMailSignature(context) }),
  pages(app, context) {
    const { mailInPort, host, integrations } = context.config
    if (mailInPort === undefined || !integrations) return
    app.addHook('onListen', async () => {
      receiving(context).server = await listenForMail(context, { port: mailInPort, host })
    })
  },
  stop(context) {
    receiving(context).server?.close()
  },
})
