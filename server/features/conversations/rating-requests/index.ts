import { ratingRequests } from '#contract/conversations/rating-requests.ts'
import { defineFeature } from '../../../feature.ts'
import { askForRating, followClosing } from './asking.ts'
import { registerRatingRequestsRoutes } from './routes.ts'

export const ratingRequestsFeature = defineFeature({
  name: 'rating-requests',
  calls: [ratingRequests],
  routes: [registerRatingRequestsRoutes],
  jobs: [askForRating],
  consumers: [followClosing],
})
