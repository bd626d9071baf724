import {
  attributionAt,
  isForwardLine,
  isQuoted,
  isRule,
  startOfEarlier,
  withoutAttribution,
} from './quotation-lines.ts'

const LONG_LINE = 1_000
const SIGNATURE_LINES = 15
const SIGN_OFF =
  /^(?:cheers|best wishes|(?:\w{1,20} )?(?:and )?(?:\w{1,20} )?regards|(?:\w{1,20} )?cordialement|bien . vous|bonne (?:journ.e|soir.e))\s?[,.!]?$/iu

const PHONE_SIGNATURE =
  /^(?:(?:Được |Đã )?[Gg]ửi từ (?:\p{L}+ ){0,3}(?:iPhone|iPad|điện thoại|Outlook|Yahoo|Samsung|thiết bị).*|Sent (?:from|via) (?:my|Outlook|Yahoo|Mail|Proton|Samsung|the).{0,60}|Get Outlook for .{0,60}|Von meinem .{2,30} gesendet|Gesendet von .{2,40}|Outlook für .{2,40}|Envoyé (?:de mon|depuis|à partir) .{2,40}|Enviado desde .{2,40}|Enviado (?:do|pelo) .{2,40}|Inviato da .{2,40}|Verstuurd vanaf .{2,40}|Verzonden vanaf .{2,40}|Skickat från .{2,40}|Sendt fra .{2,40}|Wysłane z .{2,40}|Отправлено с .{2,40}|iPhoneから送信|发自我的.{1,20})$/u

/**
 * The text somebody wrote, without quoted earlier messages and signature. Answers between quoted lines keep what they
 * answer, a forwarded mail keeps what it forwards, and if nothing would be left, everything stays. A mail that is no
 * answer may quote something else, so there only an attribution with a date or an address begins an earlier message.
 */
export function trimQuotes(text: string, isAnswer: boolean): string {
  const all = text.replace(/\r\n?/g, '\n').trim()
  const { lines, restore } = hideLongLines(all)
  if (lines.some(isForwardLine)) return all
  const before = cutEarlier(lines)
  const below = withoutLeadingQuote(before, isAnswer)
  const trimmed = isAnsweredInline(below) ? below : withoutSignature(withoutQuoteBelow(below, isAnswer))
  return restore(withoutRuleBelow(trimmed).join('\n').trim()) || all
}

/** Cuts at the first line that only occurs above earlier messages, unless there are answers below or between them. */
function cutEarlier(lines: string[]): string[] {
  for (let at = 0; at < lines.length; at++) {
    const length = startOfEarlier(lines, at)
    const remaining = length <= 1 && isQuotedNext(lines, at) ? withoutAttribution(lines[at]!) : undefined
    if (!length && remaining === undefined) continue
    const before = remaining === undefined ? lines.slice(0, at) : [...lines.slice(0, at), remaining]
    if (!before.some((line) => line.trim())) return lines
    return hasAnswerIn(lines.slice(at + (length || 1))) ? lines : withoutRuleBelow(before)
  }
  return lines
}

function isQuotedNext(lines: string[], at: number): boolean {
  return isQuoted(lines[at + 1] || lines[at + 2] || '')
}

/** Text between or below lines with `>`. Programs that do not mark lines quote to the end. */
function hasAnswerIn(lines: string[]): boolean {
  const first = lines.findIndex(isQuoted)
  if (first < 0) return false
  return withoutSignature(lines.slice(first)).some((line) => line.trim() && !isQuoted(line))
}

/** Text below quoted lines, other than a signature. */
function isAnsweredInline(lines: string[]): boolean {
  const first = lines.findIndex(isQuoted)
  if (first < 0) return false
  return withoutSignature(lines)
    .slice(first)
    .some((line) => line.trim() && !isQuoted(line))
}

/** A single quotation at the very top is removed: the text below answers it as a whole. */
function withoutLeadingQuote(lines: string[], isAnswer: boolean): string[] {
  const start = lines.findIndex(isQuoted)
  if (start < 0 || start > 4) return lines
  const above = lines.findIndex((line) => line.trim())
  const hasAttribution =
    above < start && attributionAt(lines, above) === lines.slice(above, start).filter((line) => line.trim()).length
  if (above < start ? !hasAttribution : !isAnswer) return lines
  const end = lines.findIndex((line, at) => at > start && line.trim() && !isQuoted(line))
  const below = end < 0 ? [] : lines.slice(end)
  return below.length === 0 || below.some(isQuoted) ? lines : below
}

/** Without the quoted lines at the end, and the rule above them. */
function withoutQuoteBelow(lines: string[], isAnswer: boolean): string[] {
  const first = lines.findIndex(isQuoted)
  if (first < 0 || !isAnswer) return lines
  const before = withoutRuleBelow(lines.slice(0, first))
  return before.length > 0 ? before : lines
}

/** The line that a program draws above an earlier message belongs to that. */
function withoutRuleBelow(lines: string[]): string[] {
  const end = lines.findLastIndex((line) => line.trim() !== '' && !isRule(line))
  return lines.slice(0, end + 1)
}

/** Below two dashes is a signature if it is short; sentences below them are text. */
function withoutSignature(lines: string[]): string[] {
  const at = lines.findLastIndex((line) => /^--\s?$/.test(line))
  const below = lines.slice(at + 1).filter((line) => line.trim())
  const hasText = lines.slice(0, Math.max(at, 0)).some((line) => line.trim())
  const isSignature =
    at > 0 && hasText && below.length <= SIGNATURE_LINES && (lines[at] === '-- ' || looksLikeSignature(lines, at))
  const kept = withoutSignOff(isSignature ? lines.slice(0, at) : [...lines])
  while (kept.length > 1 && (kept.at(-1)!.trim() === '' || PHONE_SIGNATURE.test(kept.at(-1)!.trim()))) kept.pop()
  return kept
}

/** Without "Best regards" and the name below it, if nothing else follows. */
function withoutSignOff(lines: string[]): string[] {
  const at = lines.findLastIndex((line) => SIGN_OFF.test(line.trim()))
  const hasText = lines.slice(0, Math.max(at, 0)).some((line) => line.trim())
  const below = lines
    .slice(at + 1)
    .join('\n')
    .trim()
    .split('\n')
  return at > 0 && hasText && looksLikeSignature(['', ...below], 0) ? lines.slice(0, at) : lines
}

function looksLikeSignature(lines: string[], at: number): boolean {
  const below = lines.slice(at + 1)
  return (
    below.length <= 8 &&
    !(below.length > 1 && !below[0]?.trim()) &&
    below.every((line) => line.length < 80 && !/[.?!。？！]\s*$/.test(line))
  )
}

/** Takes long lines out before expressions are applied: some expressions are slow on them. */
function hideLongLines(text: string) {
  const long: string[] = []
  const lines = text.split('\n').map((line) => (line.length > LONG_LINE ? `\uE002${long.push(line) - 1}\uE003` : line))
  return {
    lines,
    restore: (trimmed: string) => trimmed.replace(/\uE002(\d+)\uE003/g, (_, at) => long[Number(at)] ?? ''),
  }
}
