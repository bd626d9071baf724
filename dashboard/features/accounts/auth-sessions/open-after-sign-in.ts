import type { NavigateFunction } from 'react-router'
import { safeRedirect } from './auth-checks.ts'

/** Opens the page that was asked for before signing in, or another one. */
export function openAfterSignIn(navigate: NavigateFunction, redirect: string | null, otherwise: string): void {
  const path = safeRedirect(redirect, otherwise)
  // Browsers show that page's cookie only to a document that was loaded from there.
  if (path.startsWith('/widget/')) location.replace(path)
  else navigate(path, { replace: true })
}
