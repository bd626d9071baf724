import { pictures } from '#contract/conversations/pictures.ts'
import { defineFeature } from '../../../feature.ts'
import { registerPicturesRoutes } from './routes.ts'

export const picturesFeature = defineFeature({
  name: 'pictures',
  calls: [pictures],
  routes: [registerPicturesRoutes],
})
