import { userSettings } from '#contract/accounts/user-settings.ts'
import { users } from '#contract/accounts/users.ts'
import { defineFeature } from '../../../feature.ts'
import { openUsers } from './routes.ts'

export const usersFeature = defineFeature({
  name: 'users',
  calls: [users, userSettings],
  routes: [openUsers],
})
