import type { MailRecipients } from '#contract/mail/message-mails.ts'

export const KINDS = ['to', 'cc', 'bcc'] as const
export type Kind = (typeof KINDS)[number]

/** What was chosen for the mail of a reply. The server chooses what is left out. */
export interface ChosenMail {
  to?: readonly string[]
  cc?: readonly string[]
  bcc?: readonly string[]
  subject?: string
  /** The earlier mail is quoted although somebody is new. */
  quote?: boolean
}

/** Splits a list of addresses at commas and spaces. */
export function splitAddresses(text: string): string[] {
  return text.split(/[\s,;]+/).filter(Boolean)
}

/** Parses stored choices. Those of earlier versions are texts. */
export function parseChosen(stored: unknown): ChosenMail | undefined {
  if (!stored || typeof stored !== 'object') return undefined
  const { subject, quote, ...lists } = stored as Record<string, unknown>
  const chosen: ChosenMail = {
    ...(typeof subject === 'string' && { subject }),
    ...(quote === true && { quote }),
  }
  for (const kind of KINDS) {
    const list = lists[kind]
    if (Array.isArray(list)) chosen[kind] = list.filter((address) => typeof address === 'string')
    else if (typeof list === 'string' && list.trim()) chosen[kind] = splitAddresses(list)
  }
  return chosen
}

/** The addresses of one kind, chosen or as the server would choose. */
export function addressesOf(kind: Kind, chosen: ChosenMail, usual: MailRecipients | undefined): readonly string[] {
  const computed = kind === 'bcc' ? [] : (usual?.[kind] ?? []).map(({ address }) => address)
  return chosen[kind] ?? computed
}

/** The chosen addresses that are new in the conversation. */
export function newAddresses(chosen: ChosenMail, usual: MailRecipients | undefined): string[] {
  const participants = new Set(usual?.participants)
  return KINDS.flatMap((kind) => addressesOf(kind, chosen, usual)).filter(
    (address) => !participants.has(address.toLowerCase()),
  )
}

/** Whether somebody can have this address. */
export function isAddress(text: string): boolean {
  return /^[^\s@<>()",;:]+@[^\s@<>()",;:]+$/.test(text)
}
