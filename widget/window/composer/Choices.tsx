import './Choices.css'
import type { Labels } from '../appearance/labels.ts'
import type { Choice } from './choices.ts'

interface Props {
  choices: readonly Choice[]
  labels: Labels
  choose: (choice: Choice) => void
}

/** Replies to send with one tap. */
export function Choices({ choices, labels, choose }: Props) {
  if (choices.length === 0) return null
  return (
    <ul className="choices" aria-label={labels.suggestions}>
      {choices.map((choice, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same choice may be listed twice.
        <li key={at}>
          <button type="button" className="chip" dir="auto" onClick={() => choose(choice)}>
            {choice.text}
          </button>
        </li>
      ))}
    </ul>
  )
}
