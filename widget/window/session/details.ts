import type { Appearance } from '../appearance/settings.ts'
import type { Claims } from '../calls.ts'

export type DetailName = 'name' | 'email' | 'phone'
export type Details = Partial<Record<DetailName, string>>

const REQUIRED = {
  name: 'requireNameUpfront',
  email: 'requireEmailUpfront',
  phone: 'requirePhoneUpfront',
} as const satisfies Record<DetailName, keyof Appearance>

/** Required details that neither the page nor the visitor has given. */
export function listMissing(appearance: Appearance, claims: Claims): DetailName[] {
  return (Object.keys(REQUIRED) as DetailName[]).filter((name) => appearance[REQUIRED[name]] && !claims[name])
}
