/** Letters that are written from right to left: Hebrew, Arabic, and their neighbours. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/**
 * A name for a place inside a sentence of ours. If one of the two is written from right to left, invisible marks keep the
 * name together: without them a bracket, a number or the next word is drawn on its wrong side.
 */
export function isolate(name: string, sentence = ''): string {
  return RIGHT_TO_LEFT.test(name + sentence) ? `\u2068${name}\u2069` : name
}
