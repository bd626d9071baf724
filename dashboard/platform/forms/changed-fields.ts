/**
 * What somebody changed in a form since it opened. The rest is not sent: it may have become something else meanwhile, by
 * the customer's own hand or a colleague's.
 */
export function changedFields<Fields extends object>(opened: Fields, now: Fields): Partial<Fields> {
  const changed = Object.entries(now).filter(([name, value]) => value !== opened[name as keyof Fields])
  return Object.fromEntries(changed) as Partial<Fields>
}
