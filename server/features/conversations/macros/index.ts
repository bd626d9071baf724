import { macros } from '#contract/conversations/macros.ts'
import { defineFeature } from '../../../feature.ts'
import { registerMacrosRoutes } from './routes.ts'

export const macrosFeature = defineFeature({ name: 'macros', calls: [macros], routes: [registerMacrosRoutes] })
