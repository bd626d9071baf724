/** Verbs of the line with which mail programs introduce what they quote, in the languages of most programs. */
const WROTE =
  'wrote|writes|schrieb(?:en)?|a écrit|écrit|escribió|ha escrito|ha scritto|scritto|scrive|escreveu|schreef|napisał(?:\\(?a\\)?)?|napisała|pisze|skrev|kirjoitti|написал(?:а|\\(а\\))?|пише|пишет|написав|написала|napsal(?:\\(a\\)|a)?|napísal(?:a)?|írta|a scris|yazdı|έγραψε|је написао|je napisao|je napisala|menulis|rašė|rakstīja|kirjutas|skrifaði|đã viết|viết|schreibt'
const DIGITS = '(?=[^\\n]*\\d)'

/** Attribution lines, which have a date or an address, each as one line. */
const ATTRIBUTIONS = [
  new RegExp(
    `^${DIGITS}(?=.*(?:\\d{4}|\\d[.:]\\d\\d|@)).{2,240}?[\\s\\p{P}](?:${WROTE})(?:\\s.{0,160})?\\s?[:：]$`,
    'iu',
  ),
  /^(?:Vào|Lúc|Ngày)\s.{4,200}\s(?:đã\s+)?viết\s*:$/iu,
  /^(?:在|於)?\s*\d{4}年\d{1,2}月\d{1,2}日.{0,200}(?:[:：]|<[^<>]+>\s*[:：]?)$/u,
  /^.{0,160}(?:写道|寫道|のメッセージ|님이 작성|작성)\s*[:：]$/u,
  /^.{4,200}\sđã viết vào\s.{4,100}:$/iu,
  /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}.{0,120}<[^<>\s]+@[^<>\s]+>\s*[:：]$/u,
  /^(?=.*\d).{0,160}(?:כתב|كتب|เขียน).{0,160}[:：]$/u,
]
/** The first line of a broken one. */
const BROKEN = /^(?!.*[.!?]\s*$)(?=.*(?:\d{4}|\d[.:]\d\d|\d[./-]\d))/u
/** The same on the line on which the answer ends. */
const INLINE_ATTRIBUTION = new RegExp(
  `^([^\\d@<>]{1,800}?)\\s+((?:On|Am|Le|El|Il|Em|Op|Den|W dniu|Dnia|Dne|Vào|Lúc)\\s(?=.*(?:\\d{4}|\\d:\\d\\d)).{4,240}?\\s(?:${WROTE})\\s?[:：])$`,
  'u',
)
/** Mails of lists and old programs: a name or an address is enough where marked lines follow. */
const LOOSE_ATTRIBUTION = /^(?=.*(?:\d|@|<)).{4,300}[:：]$/u
const LOOSE_VERB = new RegExp(`(?:${WROTE}|写道|寫道)\\s?[:：]$`, 'iu')

/** Labels above an earlier message in Outlook's form, by language: its author, then the others. */
const FROM =
  'From|Von|De|Da|Van|Från|Fra|Od|De la|Lähettäjä|Feladó|Kimden|От|Від|Από|Dari|Từ|Người gửi|差出人|送信者|发件人|寄件者|보낸 사람|보낸사람|จาก|من|מאת'
const OTHERS =
  'Sent|To|Subject|Date|Cc|Reply-To|Gesendet|An|Betreff|Datum|Envoyé|À|Objet|Enviado|Enviado el|Para|Asunto|Assunto|Data|Inviato|A|Oggetto|Verzonden|Aan|Onderwerp|Skickat|Till|Ämne|Sendt|Til|Emne|Dato|Lähetetty|Vastaanottaja|Aihe|Wysłano|Do|DW|Temat|Odesláno|Komu|Předmět|Predmet|Trimis|Către|Subiect|Elküldve|Címzett|Tárgy|Gönderilme|Gönderildi|Tarih|Kime|Konu|Отправлено|Дата|Кому|Тема|Надіслано|Στάλθηκε|Προς|Θέμα|Dikirim|Kepada|Subjek|Đã gửi|Đã gửi lúc|Gửi|Ngày|Tới|Đến|Người nhận|Chủ đề|Tiêu đề|送信日時|日付|宛先|件名|日時|发送时间|日期|收件人|主题|抄送|寄件日期|收件者|主旨|보낸 날짜|날짜|받는 사람|받는사람|제목|ส่ง|ถึง|หัวเรื่อง|إلى|الموضوع|אל|נושא'
const LABEL = new RegExp(`^\\s*[>*]*\\s*(?:${FROM}|${OTHERS})\\**\\s*[:：]`, 'iu')
const FIRST_LABEL = new RegExp(`^\\s*\\**(?:${FROM})\\**\\s*[:：]`, 'iu')

const RULE = /^\s*(?:[-_=*]{2,}|[-_=*]{2,}\s*[\p{L}'’ ]{4,40}\s*[-_=*]{2,})\s*$/u
const FORWARD = new RegExp(
  `^\\s*(?:-{3,}\\s*(?:${[
    'Forwarded message',
    'Weitergeleitete Nachricht',
    'Message transféré',
    'Mensaje reenviado',
    'Messaggio inoltrato',
    'Mensagem encaminhada',
    'Doorgestuurd bericht',
    'Thư được chuyển tiếp',
    'Thư đã chuyển tiếp',
    '転送メッセージ',
    '转发的邮件',
  ].join('|')})\\s*-{3,}|${[
    'Begin forwarded message',
    'Anfang der weitergeleiteten Nachricht',
    'Début du message transféré',
    'Inizio messaggio inoltrato',
    'Inicio del mensaje reenviado',
    'Bắt đầu thư được chuyển tiếp',
  ].join('|')})\\s*[:：]?\\s*$`,
  'iu',
)

const QUOTED = /^\s*>/

/** Whether a line quotes an earlier message. */
export function isQuoted(line: string): boolean {
  return QUOTED.test(line)
}

/** Whether a line introduces a mail that is passed on as a whole. */
export function isForwardLine(line: string): boolean {
  return FORWARD.test(line)
}

export function isRule(line: string): boolean {
  return RULE.test(line)
}

/** Number of lines that introduce an earlier message here, or 0. */
export function startOfEarlier(lines: string[], at: number): number {
  const line = lines[at]!.trim()
  if (line === '') return 0
  const labels = (from: number, to: number) => lines.slice(from, to).filter((next) => LABEL.test(next)).length
  if (
    RULE.test(line) &&
    lines.slice(at + 1, at + 4).some((next) => FIRST_LABEL.test(next)) &&
    labels(at + 1, at + 7) >= 2
  )
    return 1
  if (FIRST_LABEL.test(line) && labels(at + 1, at + 6) >= 2) return 1
  return attributionAt(lines, at)
}

/** Number of lines of the attribution that begins here, or 0. Programs break long ones. */
export function attributionAt(lines: string[], at: number): number {
  let joined = ''
  for (let count = 1; count <= 3 && at + count <= lines.length; count++) {
    const line = lines[at + count - 1]!.trim()
    if (line === '' || isQuoted(line) || line.length > 300) return 0
    joined = joined ? `${joined} ${line}` : line
    if (!/[:：>]$/.test(line)) continue
    // The line above an attribution is the end of the answer, unless it has the date.
    if (count > 1 && isAttribution(line) && !BROKEN.test(lines[at]!)) return 0
    if (isAttribution(joined)) return count
    if (LOOSE_ATTRIBUTION.test(joined) && LOOSE_VERB.test(joined) && isQuoted(lines[at + count] ?? '')) return count
  }
  return 0
}

function isAttribution(line: string): boolean {
  return ATTRIBUTIONS.some((form) => form.test(line))
}

/** A line without the attribution at its end; undefined if it has none. */
export function withoutAttribution(line: string): string | undefined {
  return line.length > 1_200 ? undefined : INLINE_ATTRIBUTION.exec(line)?.[1]?.trim()
}
