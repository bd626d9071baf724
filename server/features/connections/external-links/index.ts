import { defineFeature } from '../../../feature.ts'
import { externalIdentities } from './identities.ts'

export const externalLinksFeature = defineFeature({
  name: 'external-links',
  customerData: [externalIdentities],
})
