import { defineFeature } from '../../../feature.ts'
import { serveMailGallery } from './gallery.ts'

export const mailGalleryFeature = defineFeature({
  name: 'mail-gallery',
  pages: serveMailGallery,
})
