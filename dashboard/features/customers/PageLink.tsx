/** The address comes from a visitor's browser, so only http(s) addresses become links. */
export function PageLink({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return url
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow" title={url}>
      {url.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')}
    </a>
  )
}
