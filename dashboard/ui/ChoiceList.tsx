import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import styles from './ChoiceList.module.css'

export interface Option {
  value: string
  label: string
  /** A color shown beside the option. */
  swatch?: string | undefined
}

interface ListProps {
  label: string
  /** Shown if there are no options. */
  nothing: string
  /** Opens above the field, for fields at the bottom of a dialog. */
  above?: boolean
}

/** The list of options of a text field. */
export function ChoiceList({ label, nothing, above = false }: ListProps) {
  return (
    <Popover className={styles.popover ?? ''} offset={4} placement={above ? 'top' : 'bottom'}>
      <ListBox<Option>
        className={styles.list ?? ''}
        aria-label={label}
        renderEmptyState={() => <div className={styles.nothing}>{nothing}</div>}
      >
        {(option) => (
          <ListBoxItem id={option.value} textValue={option.label} className={styles.option ?? ''}>
            {option.swatch && <span className={styles.swatch} style={{ background: option.swatch }} />}
            {option.label}
          </ListBoxItem>
        )}
      </ListBox>
    </Popover>
  )
}
