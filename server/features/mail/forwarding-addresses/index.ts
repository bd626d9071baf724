import { forwardingAddresses } from '#contract/mail/forwarding-addresses.ts'
import { defineFeature } from '../../../feature.ts'
import { registerForwardingAddressesRoutes } from './routes.ts'

export const forwardingAddressesFeature = defineFeature({
  name: 'forwarding-addresses',
  calls: [forwardingAddresses],
  routes: [registerForwardingAddressesRoutes],
})
