import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import styles from './ChoiceList.module.css'

export interface Option {
  value: string
  label: string
  /** A colour that it is known by. */
  swatch?: string | undefined
}

interface ListProps {
  label: string
  /** Stands where there is nothing to choose. */
  nothing: string
  /** Above the field, where what stands below is needed next. */
  above?: boolean
}

/** The list below a field that is typed into. */
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
