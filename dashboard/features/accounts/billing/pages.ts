import { definePage } from '../../../platform/pages.ts'
import { billingTexts } from './texts.ts'

const TITLE = { en: 'Billing', vi: 'Thanh toán' }

export const billingPages = [
  definePage({
    path: '/settings/billing',
    title: TITLE,
    nav: { group: 'settings', role: 'admin' },
    needs: 'billing',
    texts: [billingTexts],
    load: async () => (await import('./BillingPage.tsx')).BillingPage,
  }),
  // Shown in a frame of the page above. Only this address is allowed to load the payment provider's script.
  definePage({
    path: '/settings/billing/card',
    alone: true,
    needs: 'billing',
    texts: [billingTexts],
    load: async () => (await import('./CardPage.tsx')).CardPage,
  }),
  definePage({
    path: '/pricing',
    title: { en: 'Pricing', vi: 'Bảng giá' },
    alone: true,
    needs: 'billing',
    texts: [billingTexts],
    load: async () => (await import('./PricingPage.tsx')).PricingPage,
  }),
]
