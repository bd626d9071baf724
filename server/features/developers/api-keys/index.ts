import { apiKeys } from '#contract/developers/api-keys.ts'
import { defineFeature } from '../../../feature.ts'
import { apiKeyValues } from './api-keys.ts'
import { openApiKeys } from './routes.ts'

export const apiKeysFeature = defineFeature({
  name: 'api-keys',
  calls: [apiKeys],
  routes: [openApiKeys],
  encryptedColumns: [apiKeyValues],
})
