import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/clipboard.ts'
import { Icon } from '../../ui/Icon.tsx'
import { notify } from '../../ui/notices.ts'
import styles from './WidgetSettings.module.css'

/** Lines for a website, to be copied as they stand. */
export function Snippet({ code }: { code: string }) {
  const { t } = useTranslation()
  return (
    <textarea
      className={styles.code}
      readOnly
      spellCheck={false}
      rows={code.split('\n').length}
      aria-label={t('widget.snippet')}
      value={code}
    />
  )
}

/** Puts the lines on the clipboard, or says that it has to be done by hand. */
export function CopySnippet({ code }: { code: string }) {
  const { t } = useTranslation()
  const copy = async () => {
    const isCopied = await copyText(code)
    notify(isCopied ? { kind: 'success', title: t('widget.copied') } : { kind: 'error', title: t('widget.not_copied') })
  }
  return (
    <Button icon={<Icon name="copy" size={18} />} onClick={copy}>
      {t('widget.copy')}
    </Button>
  )
}
