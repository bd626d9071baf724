import styles from './FormError.module.css'
import { Icon } from './Icon.tsx'

/** Why a form was not taken. */
export function FormError({ text }: { text: string | undefined }) {
  if (!text) return null
  return (
    <div className={styles.error} role="alert">
      <Icon name="alert" size={18} />
      {text}
    </div>
  )
}
