import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Each } from '../../../../ui/Each.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { isAddress, splitAddresses } from './chosen.ts'
import styles from './RecipientsLine.module.css'

interface FieldProps {
  label: string
  addresses: readonly string[]
  /** Those new in the conversation, which are marked. */
  newAddresses: readonly string[]
  change: (addresses: string[]) => void
}

/** Addresses that can be removed, and a field that adds some: after Enter, a comma, or when it is left. */
export function AddressField({ label, addresses, newAddresses, change }: FieldProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const box = useRef<HTMLInputElement>(null)
  const add = (typed: string) => {
    const entered = splitAddresses(typed)
    const wrong = entered.filter((address) => !isAddress(address))
    const existing = new Set(addresses.map((address) => address.toLowerCase()))
    const added = entered.filter((address) => isAddress(address) && !existing.has(address.toLowerCase()))
    if (added.length > 0) change([...addresses, ...added])
    setText(wrong.join(' '))
    setError(wrong.length > 0 ? t('recipients.invalid', { address: wrong[0] }) : undefined)
  }
  const type = (typed: string) => {
    setError(undefined)
    if (/[,;]/.test(typed)) add(typed)
    else setText(typed)
  }
  const remove = (address: string) => {
    change(addresses.filter((other) => other !== address))
    box.current?.focus()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      add(text)
    }
    const last = addresses.at(-1)
    if (event.key === 'Backspace' && text === '' && last) remove(last)
  }
  return (
    <div className={styles.field}>
      <span className={styles.label} aria-hidden="true">
        {label}
      </span>
      <div className={styles.entries}>
        {addresses.length > 0 && (
          <ul className={styles.chips} aria-label={label} translate="no">
            <Each name="address" items={addresses} keyOf={(address) => address}>
              {(address) => (
                <Chip address={address} isNew={newAddresses.includes(address)} remove={() => remove(address)} />
              )}
            </Each>
          </ul>
        )}
        <TextField
          ref={box}
          label={label}
          hideLabel
          error={error}
          value={text}
          inputMode="email"
          autoComplete="off"
          spellCheck={false}
          placeholder={t('recipients.add')}
          onChange={type}
          onKeyDown={press}
          onBlur={() => text && add(text)}
        />
      </div>
    </div>
  )
}

function Chip({ address, isNew, remove }: { address: string; isNew: boolean; remove: () => void }) {
  const { t } = useTranslation()
  return (
    <li className={styles.chip} data-new={isNew || undefined}>
      <span className={styles.address} title={address}>
        {address}
      </span>
      {isNew && <span className={styles.mark}>{t('recipients.new_here')}</span>}
      <button type="button" aria-label={t('recipients.remove', { address })} onClick={remove}>
        <Icon name="close" size={14} />
      </button>
    </li>
  )
}
