import './Choices.css'
import type { Choice } from './choices.ts'
import type { Words } from './words.ts'

interface Props {
  choices: readonly Choice[]
  words: Words
  choose: (choice: Choice) => void
}

/** Answers to give with one tap. */
export function Choices({ choices, words, choose }: Props) {
  if (choices.length === 0) return null
  return (
    <ul className="choices" aria-label={words.suggestions}>
      {choices.map((choice) => (
        <li key={`${choice.text} ${choice.action}`}>
          <button type="button" className="chip" dir="auto" onClick={() => choose(choice)}>
            {choice.text}
          </button>
        </li>
      ))}
    </ul>
  )
}
