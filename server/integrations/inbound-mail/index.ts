import type { SMTPServer } from 'smtp-server'
import { inboundMail } from '#contract/inbound-mail.ts'
import { perServer } from '../../context.ts'
import { defineFeature } from '../../feature.ts'
import { inboundMailKey, openInboundMail } from './relay.ts'
import { listenForMail } from './smtp.ts'

/** The server that receives mail, where there is one. */
const receiving = perServer<{ server?: SMTPServer }>(() => ({}))

export const inboundMailIntegration = defineFeature({
  name: 'inbound-mail',
  calls: [inboundMail],
  routes: [openInboundMail],
  signatures: (context) => ({ inbound_mail: inboundMailKey(context) }),
  pages(app, context) {
    const { mailInPort, host } = context.config
    if (mailInPort === undefined) return
    app.addHook('onListen', async () => {
      receiving(context).server = await listenForMail(context, mailInPort, host)
    })
  },
  stop(context) {
    receiving(context).server?.close()
  },
})
