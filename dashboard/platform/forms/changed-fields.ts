/**
 * The fields that were changed since the form opened. Others are not sent, because they may have been changed elsewhere
 * meanwhile.
 */
export function changedFields<Fields extends object>(opened: Fields, now: Fields): Partial<Fields> {
  const changed = Object.entries(now).filter(([name, value]) => value !== opened[name as keyof Fields])
  return Object.fromEntries(changed) as Partial<Fields>
}
