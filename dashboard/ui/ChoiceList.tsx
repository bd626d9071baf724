import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import styles from './ChoiceList.module.css'

export interface Option {
  value: string
  label: string
}

/** The list below a field that is typed into. `nothing` stands where there is nothing to choose. */
export function ChoiceList({ label, nothing }: { label: string; nothing: string }) {
  return (
    <Popover className={styles.popover ?? ''} offset={4}>
      <ListBox<Option>
        className={styles.list ?? ''}
        aria-label={label}
        renderEmptyState={() => <div className={styles.nothing}>{nothing}</div>}
      >
        {(option) => (
          <ListBoxItem id={option.value} textValue={option.label} className={styles.option ?? ''}>
            {option.label}
          </ListBoxItem>
        )}
      </ListBox>
    </Popover>
  )
}
