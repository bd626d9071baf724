import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { showError } from '../../../platform/http/errors.ts'
import { Button } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { makeArticle } from '../articles/queries.ts'

/** Makes a draft of the question and the answers of a conversation, and opens it. */
export function MakeArticle({ conversation_id }: { conversation_id: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { mutate, isPending } = useMutation({
    mutationFn: () => makeArticle(client, conversation_id),
    onSuccess: ({ id }) => navigate(`/help-center/articles/${id}`),
    onError: (error) => showError('Article not made', error),
  })
  return (
    <Button block icon={<Icon name="book" size={18} />} loading={isPending} onClick={() => mutate()}>
      {t('actions.make_article')}
    </Button>
  )
}
