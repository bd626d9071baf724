import { userSettings } from '#contract/accounts/user-settings.ts'
import { users } from '#contract/accounts/users.ts'
import { defineFeature } from '../../../feature.ts'
import { registerUsersRoutes } from './routes.ts'

export const usersFeature = defineFeature({
  name: 'users',
  calls: [users, userSettings],
  routes: [registerUsersRoutes],
})
