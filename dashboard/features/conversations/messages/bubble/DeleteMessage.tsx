import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Message, mayChangeMessage } from '#contract/conversations/messages.ts'
import { lazyComponent } from '../../../../platform/lazy/lazy-component.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { LazyMount } from '../../../../ui/LazyMount.tsx'
import { useTeam } from '../../../accounts/accounts/account.ts'
import styles from './Bubble.module.css'

const DeleteMessageDialog = lazyComponent(async () => (await import('./DeleteMessageDialog.tsx')).DeleteMessageDialog)

/** The delete button beside a message, for users who may delete it. */
export function DeleteMessage({ message }: { message: Message }) {
  const { t } = useTranslation()
  const { me } = useTeam()
  const [isAsking, setAsking] = useState(false)
  if (!mayChangeMessage(me, message)) return null
  const label = t('thread.delete')
  return (
    <>
      <button
        type="button"
        className={styles.tool}
        data-danger
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        onClick={() => setAsking(true)}
      >
        <Icon name="trash" size={16} />
      </button>
      <LazyMount when={isAsking}>
        <DeleteMessageDialog message={message} open={isAsking} close={() => setAsking(false)} />
      </LazyMount>
    </>
  )
}
