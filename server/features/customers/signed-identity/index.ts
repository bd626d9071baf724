import { signedIdentity } from '#contract/customers/signed-identity.ts'
import { defineFeature } from '../../../feature.ts'
import { registerSignedIdentityRoutes } from './routes.ts'
import { identitySecrets } from './secrets.ts'

export const signedIdentityFeature = defineFeature({
  name: 'signed-identity',
  calls: [signedIdentity],
  routes: [registerSignedIdentityRoutes],
  encryptedColumns: [identitySecrets],
})
