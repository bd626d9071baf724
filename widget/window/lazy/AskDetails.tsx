import { type FormEvent, useEffect, useRef, useState } from 'react'
import './AskDetails.css'
import type { Labels } from '../appearance/labels.ts'
import type { DetailName, Details } from '../session/details.ts'
import { isPlausible } from './plausible.ts'

interface Props {
  missing: readonly DetailName[]
  emailPlaceholder: string
  labels: Labels
  /** Grows each time the visitor tries to send something without having answered. */
  asks: number
  answer: (details: Details) => void
}

const FIELDS = {
  name: { type: 'text', autoComplete: 'name', fault: 'nameMissing' },
  email: { type: 'email', autoComplete: 'email', fault: 'emailMissing' },
  phone: { type: 'tel', autoComplete: 'tel', fault: 'phoneMissing' },
} as const

/** Asks for the details required before the first message. Invalid input is kept. */
export function AskDetails({ missing, emailPlaceholder, labels, asks, answer }: Props) {
  const [details, setDetails] = useState<Details>({})
  const [isChecked, setChecked] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const wrong = missing.filter((name) => !isPlausible(name, details[name] ?? ''))

  function showErrors() {
    setChecked(true)
    form.current?.querySelector<HTMLInputElement>(`[name="${wrong[0]}"]`)?.focus()
  }

  function submit(event?: FormEvent) {
    event?.preventDefault()
    if (wrong.length > 0) return showErrors()
    answer(Object.fromEntries(missing.map((name) => [name, details[name]!.trim()])))
  }

  const latest = useRef(submit)
  latest.current = submit
  useEffect(() => {
    if (asks > 0) latest.current()
  }, [asks])

  return (
    <form ref={form} className="details" noValidate onSubmit={submit}>
      <h2>{labels.reach}</h2>
      {missing.map((name) => {
        const { type, autoComplete, fault } = FIELDS[name]
        const isWrong = isChecked && wrong.includes(name)
        return (
          <label key={name}>
            <span>{labels[name]}</span>
            <input
              name={name}
              type={type}
              autoComplete={autoComplete}
              maxLength={200}
              required
              dir={details[name] ? 'auto' : undefined}
              placeholder={name === 'email' ? emailPlaceholder : undefined}
              value={details[name] ?? ''}
              aria-invalid={isWrong}
              aria-describedby={isWrong ? `fault-${name}` : undefined}
              onChange={({ target }) => setDetails({ ...details, [name]: target.value })}
            />
            {isWrong && (
              <span id={`fault-${name}`} className="fault" role="alert">
                {labels[fault]}
              </span>
            )}
          </label>
        )
      })}
      <button type="submit" className="main-button">
        {labels.goOn}
      </button>
    </form>
  )
}
