import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { MessageTemplate } from '#contract/conversations/messages.ts'
import { Each } from '../../../../ui/Each.tsx'
import styles from './MessageForm.module.css'

interface FormProps {
  template: MessageTemplate
  /** The text between header and buttons. */
  children: ReactNode
}

/** A message with buttons for the customer. They are shown, but do nothing here. */
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
          <Each name="button" items={buttons} keyOf={(_, at) => at}>
            {({ text }) => (
              <li className={styles.button} dir="auto">
                {text}
              </li>
            )}
          </Each>
        </ul>
      )}
    </div>
  )
}
