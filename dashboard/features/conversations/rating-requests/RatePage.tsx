import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { type RatingRequest, ratingRequests } from '#contract/conversations/rating-requests.ts'
import { SCORES } from '#contract/conversations/ratings.ts'
import { errorText } from '../../../platform/http/errors.ts'
import { isTemporary, send } from '../../../platform/http/request.ts'
import { Button } from '../../../ui/Button.tsx'
import { DelayedFallback } from '../../../ui/DelayedFallback.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { createFormGuard } from '../../../ui/form-guard.ts'
import { LoadFailed } from '../../../ui/LoadFailed.tsx'
import { TextArea } from '../../../ui/TextArea.tsx'
import { useTabTitle } from '../../../ui/tab-title.ts'
import styles from './RatePage.module.css'

type Score = (typeof SCORES)[number]

/** The target of the links in a mail that asks for a rating. */
export function RatePage() {
  const { t } = useTranslation()
  const [params] = useSearchParams()
  const token = params.get('token') ?? ''
  const request = useQuery({
    queryKey: ['rating-request', token],
    queryFn: async () => (await send(ratingRequests.get, { params: { token } })).data,
  })
  if (request.isPending)
    return (
      <DelayedFallback>
        <p role="status">{t('loading')}</p>
      </DelayedFallback>
    )
  if (request.isError && isTemporary(request.error)) {
    return (
      <LoadFailed
        isPage
        title={t('rating_request.not_now')}
        text={errorText(request.error)}
        retryLabel={t('retry')}
        retry={request.refetch}
      />
    )
  }
  const reason = request.isError ? 'gone' : request.data.is_open ? 'open' : undefined
  return (
    <main className="fill column">
      {reason ? (
        <EmptyState
          isPage
          drawing={reason === 'gone' ? 'lost' : 'talk'}
          title={t(`rating_request.${reason}`)}
          text={t(`rating_request.${reason}_text`)}
        />
      ) : (
        request.data && <RatingForm token={token} request={request.data} chosen={scoreIn(params.get('score'))} />
      )}
    </main>
  )
}

function scoreIn(text: string | null): Score | undefined {
  return SCORES.find((score) => String(score) === text)
}

interface FormProps {
  token: string
  request: RatingRequest
  /** The one pressed in the mail. It is sent by a button, because mail scanners open every link. */
  chosen: Score | undefined
}

function RatingForm({ token, request, chosen }: FormProps) {
  const { t } = useTranslation()
  const [score, setScore] = useState(chosen ?? scoreIn(String(request.score)))
  const [comment, setComment] = useState(request.comment ?? '')
  const title = t('rating_request.title', { company: request.company })
  useTabTitle(title)
  const [guard] = useState(createFormGuard)
  const rate = useMutation({
    mutationFn: (rating: { score: Score; comment: string }) =>
      guard.save(async () => {
        await send(ratingRequests.answer, { params: { token }, body: { rating } })
      }),
  })
  if (rate.isSuccess) {
    return (
      <EmptyState
        isPage
        drawing="talk"
        title={t('rating_request.thanks')}
        text={score && t(`rating_request.scores.${score}`)}
        action={<Button onClick={rate.reset}>{t('rating_request.change')}</Button>}
      />
    )
  }
  return (
    <form
      ref={guard.watch}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (score) rate.mutate({ score, comment })
      }}
    >
      <h1 className={styles.title}>{title}</h1>
      <fieldset className={styles.scores}>
        <legend className="unseen">{title}</legend>
        {SCORES.map((each) => (
          <label key={each} className={styles.score} data-checked={each === score || undefined}>
            <input
              type="radio"
              name="score"
              className="unseen"
              checked={each === score}
              onChange={() => setScore(each)}
            />
            <span>{t(`rating_request.scores.${each}`)}</span>
          </label>
        ))}
      </fieldset>
      <TextArea label={t('rating_request.comment')} rows={4} maxLength={5000} value={comment} onChange={setComment} />
      <FormError text={rate.isError ? (rateError(rate.error) ?? t('rating_request.late')) : undefined} />
      <Button type="submit" variant="primary" disabled={!score} loading={rate.isPending}>
        {t('rating_request.send')}
      </Button>
    </form>
  )
}

/** Undefined where the server refuses: the day for changing a rating is over. */
function rateError(error: Error): string | undefined {
  return isTemporary(error) ? errorText(error) : undefined
}
