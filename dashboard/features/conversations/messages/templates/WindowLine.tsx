import { useTranslation } from 'react-i18next'
import { isWindowClosed } from '#contract/connections/reply-window.ts'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { formatNumber } from '../../../../platform/formats.ts'
import { useNow } from '../../../../platform/times.ts'
import { useDialog } from '../../../../platform/useDialog.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { LazyMount } from '../../../../ui/LazyMount.tsx'
import { roughTime } from '../../deadlines/due.ts'
import styles from '../composer/Composer.module.css'
import { TemplateDialog } from './TemplateDialog.tsx'
import own from './Templates.module.css'

/** Above the text field: until when the channel takes free text, and its templates, which it takes at any time. */
export function WindowLine({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation()
  const now = useNow()
  const choosing = useDialog()
  const isClosed = isWindowClosed(conversation, now)
  const { unit, count } = roughTime(Date.parse(conversation.reply_until ?? '') - now)
  const time = isClosed ? '' : formatNumber(count, { style: 'unit', unit, unitDisplay: 'long' })
  return (
    <div className={isClosed ? styles.line : own.left} role={isClosed ? 'alert' : undefined}>
      <Icon name={isClosed ? 'alert' : 'clock'} size={16} />
      <span className={styles.words}>
        {isClosed ? t('channel_templates.closed') : t('channel_templates.left', { time })}
      </span>
      <Button size="small" onClick={choosing.open}>
        {t('channel_templates.choose')}
      </Button>
      <LazyMount when={choosing.isOpen}>
        <TemplateDialog key={choosing.turn} conversation={conversation} open={choosing.isOpen} close={choosing.close} />
      </LazyMount>
    </div>
  )
}
