import { Button } from './Button.tsx'
import styles from './CodeSnippet.module.css'
import { copyText } from './clipboard.ts'
import { Icon } from './Icon.tsx'
import { notify } from './notices.ts'

/** Code to be copied to a website. */
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
  /** The notices after copying, and if copying is not possible. */
  copied: string
  notCopied: string
}

/** A button that copies such code. */
export function CopyCode({ code, label, copied, notCopied }: CopyCodeProps) {
  const copy = async () =>
    notify((await copyText(code)) ? { kind: 'success', title: copied } : { kind: 'error', title: notCopied })
  return (
    <Button icon={<Icon name="copy" size={18} />} onClick={copy}>
      {label}
    </Button>
  )
}
