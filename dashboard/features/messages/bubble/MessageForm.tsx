import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { MessageTemplate } from '#contract/messages.ts'
import styles from './MessageForm.module.css'

interface FormProps {
  template: MessageTemplate
  /** The words between header and buttons. */
  children: ReactNode
}

/** A message that came as a form. Its buttons are the customer's to press. */
export function MessageForm({ template: { header, buttons }, children }: FormProps) {
  const { t } = useTranslation()
  return (
    <div className={styles.form}>
      {header?.text && (
        <p className={styles.header} dir="auto">
          {header.text}
        </p>
      )}
      {children}
      {!!buttons?.length && (
        <ul className={styles.buttons} aria-label={t('thread.buttons')}>
          {buttons.map(({ text }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two of them may say the same.
            <li key={at} className={styles.button} dir="auto">
              {text}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
