import { apiKeys } from '#contract/developers/api-keys.ts'
import { defineFeature } from '../../../feature.ts'
import { apiKeyValues } from './api-keys.ts'
import { registerApiKeysRoutes } from './routes.ts'

export const apiKeysFeature = defineFeature({
  name: 'api-keys',
  calls: [apiKeys],
  routes: [registerApiKeysRoutes],
  encryptedColumns: [apiKeyValues],
})
