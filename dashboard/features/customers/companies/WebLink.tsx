import { Truncate } from '../../../ui/Truncate.tsx'

/** A website as it was typed, often without `https://`. What is not a web address stays text. */
export function WebLink({ url }: { url: string }) {
  const shown = url.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')
  const address = /^https?:\/\//i.test(url) ? url : `https://${url}`
  if (/^[a-z]+:(?!\d)/i.test(url) && !/^https?:/i.test(url)) return <Truncate text={url} />
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow">
      <Truncate text={shown} />
    </a>
  )
}
