import EmailReplyParser from 'email-reply-parser'

/** How much regular expressions are applied to: their time grows with the square of it, and half a megabyte takes seconds. */
const TRIED_LENGTH = 20_000
const TRIED_LINES = 1_000
const LONG_LINE = 1_000

const QUOTE = /^\s*>/

/** Attribution lines that the library does not recognise, each as one line. */
const OWN_ATTRIBUTIONS = [
  /^On\s(?=.*(?:\d{4}|@)).{6,200}\swrote:$/,
  /^(?:Vào|Lúc|Ngày)\s.{4,200}\s(?:đã\s+)?viết\s*:$/i,
  /^\d{4}年\d{1,2}月\d{1,2}日.{0,200}(?:[:：]|<[^<>]+>\s*[:：]?)$/,
  /^.{0,120}(?:写道|寫道)\s*[:：]$/,
  /^.{4,200}\sđã viết vào\s.{4,100}:$/i,
]

/** Labels above an earlier message in Outlook's form, by language. */
const LABELS =
  /^\s*[>*]*\s*(?:From|Sent|To|Subject|Date|Cc|Von|Gesendet|An|Betreff|Datum|De|Envoyé|À|Objet|Enviado|Para|Asunto|Da|Inviato|Oggetto|Từ|Người gửi|Đã gửi|Đã gửi lúc|Gửi|Ngày|Tới|Đến|Người nhận|Chủ đề|Tiêu đề|差出人|送信日時|宛先|件名|日時|发件人|发送时间|收件人|主题)\**\s*[:：]/i
const FIRST_LABEL = /^\s*\**(?:From|Von|De|Da|Từ|Người gửi|差出人|发件人)\**\s*[:：]/i
const SEPARATOR =
  /^\s*(?:-{2,}\s*(?:Original Message|Ursprüngliche Nachricht|Message d'origine|Mensaje original|Thư gốc|Tin nhắn gốc|元のメッセージ|原始邮件)\s*-{2,}|_{20,})\s*$/i
const FORWARD =
  /^\s*(?:-{3,}\s*(?:Forwarded message|Weitergeleitete Nachricht|Message transféré|Thư được chuyển tiếp|Thư đã chuyển tiếp|転送メッセージ)\s*-{3,}|Begin forwarded message:|Anfang der weitergeleiteten Nachricht:|Bắt đầu thư được chuyển tiếp:)\s*$/i
const PHONE_SIGNATURE =
  /^(?:(?:Được |Đã )?[Gg]ửi từ (?:\p{L}+ ){0,3}(?:iPhone|iPad|điện thoại|Outlook|Yahoo|Samsung|thiết bị).*|Sent from (?:my|Outlook|Yahoo|Mail|Proton).{0,60}|Von meinem iPhone gesendet|Envoyé de mon iPhone|iPhoneから送信)$/u

/**
 * The text somebody wrote, without quoted earlier messages and signature. Answers between quoted lines keep what they
 * answer, a forwarded mail keeps what it forwards, and if nothing would be left, everything stays.
 */
export function trimQuotes(text: string): string {
  const all = text.replace(/\r\n?/g, '\n').trim()
  const tried = beginningOf(all)
  if (tried.split('\n').some((line) => FORWARD.test(line))) return all
  const { shortened, restore } = hideLongLines(tried)
  const cut = cutEarlier(shortened)
  const below = withoutLeadingQuote(cut)
  const trimmed = restore(isAnsweredInline(below) ? below : readVisible(below))
  const isUntouched = all.length > tried.length && trimmed.length > tried.length - LONG_LINE
  if (isUntouched || !trimmed) return all
  return trimmed
}

function beginningOf(text: string): string {
  const beginning = text.slice(0, TRIED_LENGTH)
  const lines = beginning.split('\n', TRIED_LINES + 1)
  return lines.length > TRIED_LINES ? lines.slice(0, TRIED_LINES).join('\n') : beginning
}

function readVisible(text: string): string {
  const visible = new EmailReplyParser().read(text).getVisibleText().trim()
  const lines = visible.split('\n')
  while (lines.length > 1 && PHONE_SIGNATURE.test(lines.at(-1)!.trim())) lines.pop()
  return lines.join('\n').trim()
}

/** Cuts at the first line that only occurs above earlier messages, unless there are answers below or between them. */
function cutEarlier(text: string): string {
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const length = startOfEarlier(lines, at)
    if (!length) continue
    const before = lines.slice(0, at).join('\n').trim()
    if (before && !hasAnswerIn(lines.slice(at + length))) return before
    if (before) return text
  }
  return text
}

/** Number of lines that introduce an earlier message here, or 0. */
function startOfEarlier(lines: string[], at: number): number {
  const line = lines[at]!.trim()
  if (SEPARATOR.test(line) && lines.slice(at + 1, at + 4).some((next) => LABELS.test(next))) return 1
  if (FIRST_LABEL.test(line) && lines.slice(at + 1, at + 5).filter((next) => LABELS.test(next)).length >= 2) return 1
  if (OWN_ATTRIBUTIONS.some((form) => form.test(line))) return 1
  const two = `${line} ${lines[at + 1]?.trim() ?? ''}`
  return line && OWN_ATTRIBUTIONS.some((form) => form.test(two)) ? 2 : 0
}

/** Text between or below lines with `>`. Programs that do not mark lines quote to the end. */
function hasAnswerIn(lines: string[]): boolean {
  const first = lines.findIndex((line) => QUOTE.test(line))
  if (first < 0) return false
  return lines.slice(first).some((line) => line.trim() && !QUOTE.test(line))
}

/** Text below quoted lines, other than a signature. */
function isAnsweredInline(text: string): boolean {
  const lines = text.split(/^-- ?$/m, 1)[0]!.split('\n')
  const first = lines.findIndex((line) => QUOTE.test(line))
  if (first < 0) return false
  return lines.slice(first).some((line) => line.trim() && !QUOTE.test(line) && !PHONE_SIGNATURE.test(line.trim()))
}

/** A single quotation at the very top is removed: the text below answers it as a whole. */
function withoutLeadingQuote(text: string): string {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => QUOTE.test(line))
  if (start < 0 || start > 3) return text
  const above = lines.slice(0, start).join(' ').trim()
  if (above && !/[:：]$/.test(above)) return text
  const end = lines.findIndex((line, at) => at > start && line.trim() && !QUOTE.test(line))
  const rest = end < 0 ? [] : lines.slice(end)
  if (rest.length === 0 || rest.some((line) => QUOTE.test(line))) return text
  return rest.join('\n').trim()
}

/** Takes long lines out before expressions are applied: some expressions are very slow on them. */
function hideLongLines(text: string) {
  const long: string[] = []
  const shortened = text
    .split('\n')
    .map((line) => (line.length > LONG_LINE ? `\uE002${long.push(line) - 1}\uE003` : line))
    .join('\n')
  return {
    shortened,
    restore: (trimmed: string) => trimmed.replace(/\uE002(\d+)\uE003/g, (_, at) => long[Number(at)] ?? ''),
  }
}
