import type { FeatureEvents } from '../../platform/realtime/feature-events.ts'
import { helpKeys } from './keys.ts'

export const helpEvents: FeatureEvents = {
  invalidates: {
    'help_center:updated': [helpKeys.center, helpKeys.articles],
    'article_collections:updated': [helpKeys.collections, helpKeys.articles],
    'article:updated': [helpKeys.articles, helpKeys.collections],
    'article:deleted': [helpKeys.articles, helpKeys.collections],
  },
}
