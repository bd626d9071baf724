import { mails } from '#contract/mail/mails.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { mailsBacklog } from './backlog.ts'
import { startMailServerChecks, stopMailServerChecks } from './mail-server-checks.ts'
import { pruneMails } from './mails.ts'
import { registerMailsRoutes } from './routes.ts'
import { sendMail } from './send-mail.ts'
import { sendFreshMails } from './unsent-mails.ts'

export const mailsFeature = defineFeature({
  name: 'mails',
  calls: [mails],
  routes: [registerMailsRoutes],
  jobs: [sendMail],
  backlogs: [mailsBacklog],
  start: startMailServerChecks,
  stop: stopMailServerChecks,
  schedules: [
    defineSchedule('mails.prune', '57 3 * * *', ({ db }) => pruneMails(db)),
    defineSchedule('mails.sendFresh', '* * * * *', (context) => sendFreshMails(context, new Date())),
  ],
})
