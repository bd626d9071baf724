import { type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  type EmailTemplate,
  emailTemplates,
  type TemplateDraft,
  type TemplateKind,
  type TemplatePreview,
} from '#contract/mail/email-templates.ts'
import { call } from '../../../platform/http/api.ts'
import { fetchPicture } from '../../../platform/http/pictures.ts'

const keys = {
  list: ['email-templates'] as const,
  versions: (kind: TemplateKind) => ['email-templates', kind, 'versions'] as const,
}

/** The current templates. */
export const templatesQuery = queryOptions({
  queryKey: [...keys.list, 'all'],
  queryFn: async ({ signal }) => (await call(emailTemplates.list, { signal })).data,
  refetchOnMount: 'always',
})

export const versionsQuery = (kind: TemplateKind) =>
  queryOptions({
    queryKey: keys.versions(kind),
    queryFn: async ({ signal }) => (await call(emailTemplates.versions, { params: { kind }, signal })).data,
    refetchOnMount: 'always',
  })

async function storeTemplate(client: QueryClient, template: EmailTemplate): Promise<void> {
  client.setQueryData(templatesQuery.queryKey, (templates) =>
    templates?.map((item) => (item.kind === template.kind ? template : item)),
  )
  await client.invalidateQueries({ queryKey: keys.list })
}

export async function saveTemplate(client: QueryClient, kind: TemplateKind, template: TemplateDraft): Promise<void> {
  await storeTemplate(client, (await call(emailTemplates.save, { params: { kind }, body: { template } })).data)
}

export async function restoreVersion(
  client: QueryClient,
  kind: TemplateKind,
  version_id: string,
): Promise<EmailTemplate> {
  const { data } = await call(emailTemplates.restore, { params: { kind, version_id } })
  await storeTemplate(client, data)
  return data
}

/** Resets the email to the default, and returns the template to start from. */
export async function resetTemplate(client: QueryClient, kind: TemplateKind): Promise<EmailTemplate | undefined> {
  await call(emailTemplates.reset, { params: { kind } })
  await client.invalidateQueries({ queryKey: keys.list })
  return (await client.fetchQuery(templatesQuery)).find((template) => template.kind === kind)
}

/**
 * Renders a template with an example. External images are loaded through our server, because the page's policy allows
 * no others.
 */
export async function previewTemplate(kind: TemplateKind, template: TemplateDraft): Promise<TemplatePreview> {
  const { data } = await call(emailTemplates.preview, { params: { kind }, body: { template } })
  return { ...data, html: await withPictures(data.html) }
}

async function withPictures(html: string): Promise<string> {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const pictures = [...page.querySelectorAll('img[src]')]
  if (pictures.length === 0) return html
  await Promise.all(
    pictures.map(async (picture) => {
      const copy = await fetchPicture(picture.getAttribute('src') ?? '')
      if (copy) picture.setAttribute('src', copy)
    }),
  )
  return `<!doctype html>${page.documentElement.outerHTML}`
}

/** Sends the user an example, and returns the address it went to. */
export async function sendTest(kind: TemplateKind, template: TemplateDraft): Promise<string> {
  return (await call(emailTemplates.test, { params: { kind }, body: { template } })).data.recipient
}
