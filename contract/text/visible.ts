/**
 * Characters that nobody sees: marks and overrides of the writing direction, spaces without width, soft hyphens. The
 * joiners stay, which emoji and Persian words need.
 */
const HIDDEN = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g

/**
 * A name of a file, a person or a company without hidden characters. With them `invoice[RLO]fdp.exe` is shown as
 * `invoiceexe.pdf`, and two people may have the same name.
 */
export function visibleText(name: string): string {
  return name.replace(HIDDEN, '')
}
