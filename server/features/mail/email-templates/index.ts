import { emailTemplates } from '#contract/mail/email-templates.ts'
import { defineFeature } from '../../../feature.ts'
import { registerEmailTemplatesRoutes, registerTrialsRoutes } from './routes.ts'

export const emailTemplatesFeature = defineFeature({
  name: 'email-templates',
  calls: [emailTemplates],
  routes: [registerEmailTemplatesRoutes, registerTrialsRoutes],
})
