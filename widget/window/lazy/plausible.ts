import type { DetailName } from '../session/details.ts'

/** Whether the input is plausible. Loose on purpose: a wrong refusal turns a customer away. */
export function isPlausible(name: DetailName, value: string): boolean {
  const text = value.trim()
  if (name === 'email') return /^\S+@\S+\.\S+$/.test(text) && text.length > 5
  if (name === 'phone') return /^[+(]?[\d\s().\-/]+$/.test(text) && text.replace(/\D/g, '').length >= 5
  return text !== ''
}
