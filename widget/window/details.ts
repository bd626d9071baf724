import type { Claims } from './calls.ts'
import type { Look } from './look.ts'

export type DetailName = 'name' | 'email' | 'phone'
export type Details = Partial<Record<DetailName, string>>

const REQUIRED = {
  name: 'requireNameUpfront',
  email: 'requireEmailUpfront',
  phone: 'requirePhoneUpfront',
} as const satisfies Record<DetailName, keyof Look>

/** What the team wants to know before the first message and neither the page nor the visitor has said. */
export function listMissing(look: Look, known: Claims): DetailName[] {
  return (Object.keys(REQUIRED) as DetailName[]).filter((name) => look[REQUIRED[name]] && !known[name])
}

/** Whether an answer can be one. Loose on purpose: a wrong refusal turns a customer away. */
export function isLikely(name: DetailName, said: string): boolean {
  const text = said.trim()
  if (name === 'email') return /^\S+@\S+\.\S+$/.test(text) && text.length > 5
  if (name === 'phone') return /^[+(]?[\d\s().\-/]+$/.test(text) && text.replace(/\D/g, '').length >= 5
  return text !== ''
}
