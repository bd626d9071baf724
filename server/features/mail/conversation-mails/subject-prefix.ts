/** What mail programs write before the subject of an answer or of a forwarded mail, in their languages. */
const ANSWER =
  're|res|r|aw|antw|antwort|sv|vs|odp|odpowiedź|ynt|yanıt|rif|ref|рe|отв|на|απ|σχετ|תגובה|رد|回复|回覆|答复|返信|回信|답장|trả lời|bls|balas'
const FORWARD = 'fw|fwd|wg|tr|rv|enc|i|pd|vb|doorst|vl|továbbítás|转发|轉寄|転送|전달|chuyển tiếp'
const COUNT = '(?:\\s*[\\[(]\\d{1,3}[\\])]|\\^\\d{1,3})?'
const PREFIXES = new RegExp(`^(?:\\s*(?:${ANSWER}|${FORWARD})${COUNT}\\s*[:：])+\\s*`, 'iu')
const ANSWER_PREFIX = new RegExp(`^\\s*(?:${ANSWER})${COUNT}\\s*[:：]`, 'iu')

/** A subject without the prefixes that programs add with each answer. */
export function withoutPrefixes(subject: string): string {
  return subject.replace(PREFIXES, '').trim()
}

/** Whether a subject is that of an answer. */
export function isAnswerSubject(subject: string): boolean {
  return ANSWER_PREFIX.test(subject)
}
