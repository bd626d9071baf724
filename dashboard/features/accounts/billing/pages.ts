import { definePage } from '../../../platform/pages.ts'

export const billingPages = [
  definePage({
    path: '/settings/billing',
    title: 'billing',
    nav: { group: 'settings', role: 'admin' },
    needs: 'billing',
    texts: ['billing'],
    load: async () => (await import('./BillingPage.tsx')).BillingPage,
  }),
  // Shown in a frame of the page above. Only this address is allowed to load the payment provider's script.
  definePage({
    path: '/settings/billing/card',
    alone: true,
    needs: 'billing',
    texts: ['billing'],
    load: async () => (await import('./CardPage.tsx')).CardPage,
  }),
  definePage({
    path: '/pricing',
    title: 'pricing',
    alone: true,
    needs: 'billing',
    texts: ['billing'],
    load: async () => (await import('./PricingPage.tsx')).PricingPage,
  }),
]
