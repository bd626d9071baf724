import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { mails } from '#contract/mail/mails.ts'
import { call } from '../../../platform/http/api.ts'
import { refreshAfter } from '../../../platform/http/refresh-after.ts'

const mailKeys = { all: ['mails'] as const, detail: (id: string) => ['mails', id] as const }

/** The latest emails, whether there is a mail server, and how many wait for a decision. */
export const mailsQuery = queryOptions({
  queryKey: mailKeys.all,
  queryFn: ({ signal }) => call(mails.list, { signal }),
  refetchOnMount: 'always',
})

export function mailQuery(id: string) {
  return queryOptions({
    queryKey: mailKeys.detail(id),
    queryFn: async ({ signal }) => (await call(mails.get, { params: { id }, signal })).data,
  })
}

/** Sends an unsent email again. */
export async function retryMail(client: QueryClient, id: string): Promise<void> {
  await refreshAfter(call(mails.retry, { params: { id } }), client, mailKeys.all)
}

/** Sends the emails that were kept while there was no mail server. */
export async function sendUnsentMails(client: QueryClient): Promise<void> {
  await refreshAfter(call(mails.sendKept, {}), client, mailKeys.all)
}
