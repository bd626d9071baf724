import type { Customer } from '#contract/customers.ts'
import styles from './Nickname.module.css'

/** Beside `Anonymous User`: by what this one is told from the others. Nothing beside a name or an address. */
export function Nickname({ customer: { name, email, nickname } }: { customer: Customer }) {
  if (name || email) return null
  return <span className={styles.nickname}>{nickname}</span>
}
