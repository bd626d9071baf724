import type { PlanFeature } from '#contract/plans.ts'
import { definePage, type NavigationEntry, type Title } from '../platform/pages.ts'

// Pages of the plan that are not built yet. One that is built leaves its list here; its feature lists it then.

function toCome(path: string, title: Title, nav?: NavigationEntry, feature?: PlanFeature) {
  return definePage({
    path,
    title,
    ...(nav && { nav }),
    load: async () => {
      const { NotThereYet } = await import('./NotThereYet.tsx')
      return () => <NotThereYet title={title} feature={feature} />
    },
  })
}

const TWILIO = { en: 'Twilio', vi: 'Twilio' }

export const integrationsToCome = [
  toCome('/integrations/twilio', TWILIO),
  toCome('/inboxes/:inbox_id/integrations/twilio', TWILIO),
]
