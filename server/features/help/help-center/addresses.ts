/** What the public address of a help center is made of. */
export interface Addressed {
  slug: string
  domain: string | null
  domain_verified_at: string | null
}

/** The public address of the first page, without a language and without a slash at the end. */
export function urlOfCenter(baseUrl: string, { slug, domain, domain_verified_at }: Addressed): string {
  return domain && domain_verified_at ? `https://${domain}` : `${baseUrl}/help/${encodeURIComponent(slug)}`
}

/** The public address of an article. */
export function urlOfArticle(center_url: string, { language, slug }: { language: string; slug: string }): string {
  return `${center_url}/${language}/articles/${encodeURIComponent(slug)}`
}

/** The public address of a collection. */
export function urlOfCollection(center_url: string, { language, slug }: { language: string; slug: string }): string {
  return `${center_url}/${language}/collections/${encodeURIComponent(slug)}`
}

/** The public address of a file that a published article or a logo uses. It is the same on every host. */
export function pathOfFile({ id, filename }: { id: string; filename: string }): string {
  return `/help/files/${id}/${encodeURIComponent(filename)}`
}
