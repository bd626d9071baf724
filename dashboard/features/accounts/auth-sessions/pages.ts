import { definePage } from '../../../platform/pages.ts'

export const authSessionPages = [
  definePage({
    path: '/login',
    alone: true,
    texts: ['auth-sessions'],
    load: async () => (await import('./SignInPage.tsx')).SignInPage,
  }),
  definePage({
    path: '/register/:invite?',
    alone: true,
    texts: ['auth-sessions'],
    load: async () => (await import('./RegistrationPage.tsx')).RegistrationPage,
  }),
  definePage({ path: '/logout', alone: true, load: async () => (await import('./LogOutPage.tsx')).LogOutPage }),
  definePage({
    path: '/verify',
    alone: true,
    texts: ['auth-sessions'],
    load: async () => (await import('./VerifyPage.tsx')).VerifyPage,
  }),
  definePage({
    path: '/reset-password',
    alone: true,
    texts: ['auth-sessions'],
    load: async () => (await import('./ResetPages.tsx')).RequestResetPage,
  }),
  definePage({
    path: '/reset-password-requested',
    alone: true,
    texts: ['auth-sessions'],
    load: async () => (await import('./ResetPages.tsx')).ResetRequestedPage,
  }),
  definePage({
    path: '/reset',
    alone: true,
    texts: ['auth-sessions'],
    load: async () => (await import('./ResetPages.tsx')).ResetPage,
  }),
]
