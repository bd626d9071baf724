import { useTranslation } from 'react-i18next'
import type { Message } from '#contract/conversations/messages.ts'
import { lazyComponent } from '../../../../platform/lazy/lazy-component.tsx'
import { useDialog } from '../../../../platform/useDialog.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import { LazyMount } from '../../../../ui/LazyMount.tsx'
import styles from './Bubble.module.css'

const SplitDialog = lazyComponent(async () => (await import('../merging/SplitDialog.tsx')).SplitDialog)

/** The button beside a message that makes a conversation of its own of it. */
export function SplitMessage({ message }: { message: Message }) {
  const { t } = useTranslation()
  const splitting = useDialog()
  const label = t('merging.split')
  return (
    <>
      <button
        type="button"
        className={styles.tool}
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        onClick={() => splitting.open()}
      >
        <Icon name="split" size={16} />
      </button>
      <LazyMount when={splitting.isOpen}>
        <SplitDialog key={splitting.turn} message={message} open={splitting.isOpen} close={splitting.close} />
      </LazyMount>
    </>
  )
}
