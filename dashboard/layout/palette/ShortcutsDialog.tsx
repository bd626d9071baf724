import { useTranslation } from 'react-i18next'
import type { Action } from '../../features/conversations/actions/action.ts'
import { ACTIONS } from '../../features/conversations/actions/registry.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Keys } from '../../ui/Keys.tsx'
import { width } from '../../ui/tokens.ts'
import styles from './ShortcutsDialog.module.css'

/** The most important ones first. `up` is next, because newer conversations are above. */
const FIRST = [
  ['mod+enter', 'send'],
  ['mod+d', 'close'],
  ['mod+up', 'next'],
  ['mod+down', 'previous'],
  ['mod+p', 'prioritize'],
  ['esc', 'escape'],
] as const

const SECTIONS: Action['section'][] = ['conversation', 'list', 'go', 'general']

/** All keyboard shortcuts. */
export function ShortcutsDialog({ open, close }: { open: boolean; close: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('shortcuts.title')} open={open} close={close} size={width.help}>
      <dl className={styles.list}>
        {FIRST.map(([keys, name]) => (
          <Row key={name} name={t(`shortcuts.${name}`)} keys={[keys]} />
        ))}
      </dl>
      {SECTIONS.map((section) => (
        <section key={section} className={styles.section}>
          <h3>{t(`actions.sections.${section}`)}</h3>
          <dl className={styles.list}>
            {ACTIONS.filter((action) => action.section === section).map(({ id, keys }) => (
              <Row key={id} name={t(`actions.${id}`)} keys={keys} />
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}

function Row({ name, keys }: { name: string; keys: readonly string[] }) {
  return (
    <div className={styles.row}>
      <dt>{name}</dt>
      <dd className={styles.keys}>
        {keys.map((each) => (
          <Keys key={each} of={each} />
        ))}
      </dd>
    </div>
  )
}
