import { attributes } from '#contract/customers/attributes.ts'
import { defineFeature } from '../../../feature.ts'
import { registerAttributesRoutes } from './routes.ts'

export const attributesFeature = defineFeature({
  name: 'attributes',
  calls: [attributes],
  routes: [registerAttributesRoutes],
})
