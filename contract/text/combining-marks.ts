/**
 * At most 30 combining marks on one letter, as Unicode's stream-safe texts have (UAX #15). No language needs more; a browser
 * takes seconds to draw one letter with thousands, so a single message could freeze everybody's list.
 */
export function limitCombiningMarks(text: string): string {
  return text.replace(/(\p{M}{30})\p{M}+/gu, '$1')
}
