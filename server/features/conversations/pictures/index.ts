import { pictures } from '#contract/conversations/pictures.ts'
import { defineFeature } from '../../../feature.ts'
import { openPictures } from './routes.ts'

export const picturesFeature = defineFeature({
  name: 'pictures',
  calls: [pictures],
  routes: [openPictures],
})
