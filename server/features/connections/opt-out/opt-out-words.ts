/** By themselves, these unsubscribe at Twilio; with other words around them, they are about something else. */
const ONLY_ALONE = ['END', 'CANCEL', 'QUIT', 'REVOKE']

/** What people write who want no more text messages, by language. Compared without case, accents and punctuation. */
const STOPS = [
  ['STOP', 'STOPALL', 'STOP ALL', 'UNSUBSCRIBE', 'OPTOUT', 'OPT OUT', 'OPT ME OUT', 'REMOVE ME'],
  ['ARRET', 'ARRETER', 'ARRETE', 'ARRETEZ', 'DESABONNER', 'DESINSCRIRE'],
  ['STOPP', 'STOPPEN', 'ABMELDEN', 'ABMELDUNG', 'ABBESTELLEN'],
  ['BAJA', 'ALTO', 'PARAR', 'DETENER', 'DARME DE BAJA'],
  ['SAIR', 'DESCADASTRAR', 'REMOVER', 'CANCELAR'],
  ['FERMA', 'BASTA', 'DISISCRIVI', 'DISISCRIVIMI'],
  ['AFMELDEN', 'UITSCHRIJVEN', 'STOPZETTEN'],
  ['STOPPA', 'STANNA', 'AVREGISTRERA', 'AVSLUTA', 'AFMELD', 'AVMELD', 'FRAMELD', 'LOPETA', 'PERUUTA'],
  ['WYPISZ', 'REZYGNUJE', 'ODHLASIT', 'ZRUSIT', 'LEIRATKOZAS', 'LEIRATKOZOM', 'DEZABONARE', 'DEZABONEAZA'],
  ['СТОП', 'ОТПИСАТЬСЯ', 'ОТПИСКА', 'ОТПИСАТЬ', 'ВІДПИСАТИСЯ', 'ΔΙΑΚΟΠΗ', 'ΣΤΟΠ'],
  ['DUR', 'IPTAL', 'RET', 'إيقاف', 'توقف', 'إلغاء الاشتراك', 'הסר', 'הפסק'],
  ['DỪNG', 'NGỪNG', 'TỪ CHỐI', 'HỦY ĐĂNG KÝ', 'BERHENTI', 'หยุด', 'ยกเลิก', 'रोकें', 'बंद करो'],
  ['停止', '退订', '退訂', '取消订阅', '取消訂閱', 'TD', '配信停止', 'ストップ', '수신거부', '중지', '거부'],
].flat()

const STARTS = ['START', 'UNSTOP']

/** Words around a request that do not change it. */
const POLITE = new Set(
  ['PLEASE PLS PLZ NOW THANKS THANK YOU SENDING TEXTING MESSAGING ME THESE THE MY TEXT TEXTS MESSAGE MESSAGES SMS']
    .concat(['BITTE DANKE SOFORT SVP MERCI S IL VOUS PLAIT POR FAVOR GRACIAS OBRIGADO PER FAVORE GRAZIE TACK TAK'])
    .flatMap((line) => line.split(' ')),
)

/** What a text message says about receiving more of them. */
export type OptOutRequest = 'stop' | 'start' | 'maybe stop'

/**
 * Whether a message asks to stop or start sending text messages: it consists of nothing else. A sentence with such a
 * word is `maybe stop`, for a person to decide. `own` are further words of the number that unsubscribe.
 */
export function readOptOut(body: string, own: readonly string[] = []): OptOutRequest | undefined {
  const text = plain(body)
  const stops = [...STOPS, ...own].map(plain).filter(Boolean)
  const request = withoutPoliteness(text)
  if (ONLY_ALONE.includes(text) || stops.includes(text) || stops.includes(request)) return 'stop'
  if (STARTS.includes(request)) return 'start'
  return stops.some((phrase) => contains(text, phrase)) ? 'maybe stop' : undefined
}

/** In capitals, without accents, with one space in place of everything that is no letter or digit. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Also without repetitions: "Stop! STOP!!" */
function withoutPoliteness(text: string): string {
  return [...new Set(text.split(' '))].filter((word) => !POLITE.has(word)).join(' ')
}

/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}\p{Script=Hangul}\p{Script=Thai}]/u

function contains(text: string, phrase: string): boolean {
  return UNSPACED.test(phrase) ? text.includes(phrase) : ` ${text} `.includes(` ${phrase} `)
}
