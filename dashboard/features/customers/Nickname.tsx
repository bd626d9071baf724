import type { Customer } from '#contract/customers.ts'
import styles from './Nickname.module.css'

/** Tells anonymous customers apart. Empty for those with a name or email. */
export function Nickname({ customer: { name, email, nickname } }: { customer: Customer }) {
  if (name || email) return null
  return <span className={styles.nickname}>{nickname}</span>
}
