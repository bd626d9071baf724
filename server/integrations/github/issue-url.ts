/** Identifies an issue at GitHub. */
export interface IssueAddress {
  owner: string
  repo: string
  number: number
}

const ADDRESS = /(?:https?:\/\/)?(?:www\.)?github\.com\/([\w.-]{1,100})\/([\w.-]{1,100})\/issues\/(\d{1,9})(?![\w-])/i
const ADDRESSES = new RegExp(`(?<![\\w./-])${ADDRESS.source}`, 'gi')
/** Maximum number of links looked at in a message. */
const AT_ONCE = 5

/** Parses the address of an issue; undefined for any other. */
export function readIssueUrl(url: string): IssueAddress | undefined {
  return addressFrom(new RegExp(`^${ADDRESS.source}/?(?:[?#].*)?$`, 'i').exec(url.trim()))
}

/** The issues linked in a text, each once. */
export function findIssueUrls(text: string): IssueAddress[] {
  const all = Array.from(text.matchAll(ADDRESSES), (match) => addressFrom(match)!)
  return [...new Map(all.map((address) => [keyOf(address), address])).values()].slice(0, AT_ONCE)
}

function addressFrom(match: RegExpExecArray | null): IssueAddress | undefined {
  return match ? { owner: match[1]!, repo: match[2]!, number: Number(match[3]) } : undefined
}

/** A normalised key of an issue, however its address was typed. */
export function keyOf({ owner, repo, number }: IssueAddress): string {
  return `${repositoryOf({ owner, repo })}/issues/${number}`
}

/** `owner/name`, in lower case. */
export function repositoryOf({ owner, repo }: Pick<IssueAddress, 'owner' | 'repo'>): string {
  return `${owner}/${repo}`.toLowerCase()
}

/** The address of an issue's page. */
export function urlOf({ owner, repo, number }: IssueAddress): string {
  return `https://github.com/${owner}/${repo}/issues/${number}`
}
