import { type FormEvent, useState } from 'react'
import type { Rating as Given } from '#contract/conversations/ratings.ts'
import './Rating.css'
import type { Labels } from '../appearance/labels.ts'

interface Props {
  rating: Given | null
  labels: Labels
  /** Resolves to whether it was stored. */
  rate: (score: number, comment?: string) => Promise<boolean>
}

/** From bad to good, each with the mouth of its face icon. */
const SCORES = [
  { score: 1, mouth: 'M6.6 14.2a3.7 3.7 0 016.8 0', word: 'score1' },
  { score: 2, mouth: 'M7.2 13.6a4.6 4.6 0 015.6 0', word: 'score2' },
  { score: 3, mouth: 'M7.2 12.8h5.6', word: 'score3' },
  { score: 4, mouth: 'M7.2 12a4.6 4.6 0 005.6 0', word: 'score4' },
  { score: 5, mouth: 'M6.4 11.4a3.7 3.7 0 007.2 0z', word: 'score5' },
] as const
const HEAD = 'M17.5 10a7.5 7.5 0 11-15 0 7.5 7.5 0 0115 0M7.5 7.6v.2M12.5 7.6v.2'

/** One tap sends the rating; a comment may follow, and another tap changes the rating. */
export function Rating({ rating, labels, rate }: Props) {
  const [chosen, setChosen] = useState(rating?.score)
  const [comment, setComment] = useState(rating?.comment ?? '')
  const [state, setState] = useState<'asking' | 'failed' | 'thanked'>(rating?.comment ? 'thanked' : 'asking')

  async function choose(score: number) {
    setChosen(score)
    setState('asking')
    if (!(await rate(score))) {
      setChosen(rating?.score)
      setState('failed')
    }
  }

  async function add(event: FormEvent) {
    event.preventDefault()
    if (chosen !== undefined) setState((await rate(chosen, comment)) ? 'thanked' : 'failed')
  }

  return (
    <section className="rating" aria-label={labels.rate}>
      <fieldset className="faces">
        <legend>{labels.rate}</legend>
        {SCORES.map(({ score, mouth, word }) => (
          <button
            key={score}
            type="button"
            aria-label={labels[word]}
            title={labels[word]}
            aria-pressed={chosen === score}
            onClick={() => void choose(score)}
          >
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <path d={`${HEAD}${mouth}`} />
            </svg>
          </button>
        ))}
      </fieldset>
      {chosen !== undefined && state !== 'thanked' && (
        <form onSubmit={(event) => void add(event)}>
          <textarea
            rows={2}
            dir="auto"
            maxLength={5000}
            value={comment}
            placeholder={labels.rateComment}
            aria-label={labels.rateComment}
            onChange={({ target }) => setComment(target.value)}
          />
          <button type="submit" className="main-button" disabled={!comment.trim()}>
            {labels.rateSend}
          </button>
        </form>
      )}
      <p role="status">{state === 'failed' ? labels.rateFailed : chosen !== undefined ? labels.rateThanks : ''}</p>
    </section>
  )
}
