import { Fragment } from 'react'

/**
 * The address comes from a visitor's browser, so only http(s) addresses become links. Long ones break before a dot or
 * slash first.
 */
export function PageLink({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return url
  const shown = url.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow" title={url}>
      {shown.split(/(?=[./])/).map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
        <Fragment key={at}>
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </a>
  )
}
