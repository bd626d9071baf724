import { accounts } from '#contract/accounts/accounts.ts'
import { defineFeature } from '../../../feature.ts'
import { importSecrets } from './import-secrets.ts'
import { registerAccountsRoutes } from './routes.ts'
import { disconnectSuspended } from './suspension.ts'

export const accountsFeature = defineFeature({
  name: 'accounts',
  calls: [accounts],
  routes: [registerAccountsRoutes],
  onEvents: disconnectSuspended,
  encryptedColumns: [importSecrets],
})
