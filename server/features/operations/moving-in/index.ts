import { movingIn } from '#contract/operations/moving-in.ts'
import { defineFeature } from '../../../feature.ts'
import { stopImport } from './moving-in.ts'
import { registerMovingInRoutes } from './routes.ts'

export const movingInFeature = defineFeature({
  name: 'moving-in',
  calls: [movingIn],
  routes: [registerMovingInRoutes],
  stop: (context) => void stopImport(context),
})
