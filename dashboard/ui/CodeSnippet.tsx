import { Button } from './Button.tsx'
import styles from './CodeSnippet.module.css'
import { copyText } from './clipboard.ts'
import { Icon } from './Icon.tsx'
import { notify } from './notices.ts'

/** Lines of code for somebody's website, to be copied as they stand. */
export function CodeSnippet({ code, label }: { code: string; label: string }) {
  return (
    <textarea
      className={styles.code}
      readOnly
      spellCheck={false}
      rows={code.split('\n').length}
      aria-label={label}
      value={code}
    />
  )
}

interface CopyCodeProps {
  code: string
  label: string
  /** What is said when it is on the clipboard, and when it has to be copied by hand. */
  copied: string
  notCopied: string
}

/** Puts such lines on the clipboard. */
export function CopyCode({ code, label, copied, notCopied }: CopyCodeProps) {
  const copy = async () =>
    notify((await copyText(code)) ? { kind: 'success', title: copied } : { kind: 'error', title: notCopied })
  return (
    <Button icon={<Icon name="copy" size={18} />} onClick={copy}>
      {label}
    </Button>
  )
}
