import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Icon } from '../../ui/Icon.tsx'
import styles from './GettingStartedPage.module.css'

interface StepProps {
  name: 'inbox' | 'hello' | 'profile' | 'team' | 'integrations' | 'billing'
  /** The page where the step is done. */
  path?: string
  isDone: boolean
  /** Controls to do the step here. */
  children?: ReactNode
}

/** A setup step: its purpose, whether it is done, and its controls. */
export function Step({ name, path, isDone, children }: StepProps) {
  const { t } = useTranslation()
  const title = t(`getting_started.${name}`)
  return (
    <li className={styles.step} data-done={isDone || undefined}>
      <span className={styles.icon}>{isDone && <Icon name="check" size={18} />}</span>
      <div className={styles.words}>
        {path ? (
          <Link to={path} className={styles.name} data-whole={!children || undefined}>
            {title}
          </Link>
        ) : (
          <span className={styles.name}>{title}</span>
        )}
        <span className={styles.text}>{t(`getting_started.${name}_text`)}</span>
        <span className="unseen">{isDone && t('getting_started.done')}</span>
        {children && <div className={styles.here}>{children}</div>}
      </div>
    </li>
  )
}
