import styles from './Keys.module.css'

const isMac = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform || navigator.userAgent)

const SIGNS: Record<string, string> = {
  mod: isMac ? '⌘' : 'Ctrl',
  up: '↑',
  down: '↓',
  enter: isMac ? '↩' : 'Enter',
  esc: 'Esc',
  shift: isMac ? '⇧' : 'Shift',
}

/** Shows a keyboard shortcut, such as `mod+enter`, or `g a` for a sequence. */
export function Keys({ of }: { of: string }) {
  return (
    <span className={styles.keys}>
      {of.split(/[+ ]/).map((key) => (
        <kbd key={key}>{SIGNS[key] ?? key.toUpperCase()}</kbd>
      ))}
    </span>
  )
}
