import { SERVER_LANGUAGES } from '../../../languages.ts'
import { translate } from '../../mail/mails/translate.ts'

/** What a message says besides its question. */
export type Wish = 'helped' | 'person' | 'anger'

/** How people ask for a person: a verb and whom they mean near each other, or words that say it alone. */
interface Asking {
  verbs?: string
  whom?: string
  alone?: string
}

/** By the languages of the chat, in lower case and without accents. */
export const ASKING: Record<string, Asking> = {
  ar: {
    verbs: 'اتحدث|التحدث|اتكلم|التكلم|اكلم|التواصل|اتواصل|اريد|ابي|احتاج|حولني',
    whom: 'شخص|انسان|موظف|بشر|احد من|ممثل|مندوب|الدعم',
  },
  de: {
    verbs: 'sprechen|reden|schreiben|chatten|verbind|will|mochte|brauche|gibt es|kann ich|bitte',
    whom: 'mensch|mitarbeiter|(?:echten?|richtigen?|einer) person|jemandem|berater|kundendienst|kundenservice|ansprechpartner',
    alone: 'kein bot|keinen bot|keine maschine',
  },
  en: {
    verbs: 'talk|speak|chat|connect|transfer|want|need|get me|give me|put me|can i|is there|please',
    whom: 'human|(?:a|real|actual|live) person|someone real|(?:to|with) (?:someone|somebody)|agent|representative|operator|member of staff|support staff|your team|real people',
    alone: 'not a (?:bot|robot|machine)|no bots?',
  },
  es: {
    verbs: 'hablar|hable|comunic|contactar|chatear|quiero|quisiera|necesito|pasame|paseme|puedo|hay',
    whom: 'persona|humano|agente|alguien|representante|operador|asesor',
  },
  fr: {
    verbs: 'parler|discuter|contacter|joindre|veux|voudrais|souhaite|besoin|passez|puis-je',
    whom: 'humain|(?:une|vraie) personne|quelqu.un|conseiller|un agent|operateur|vrai interlocuteur',
  },
  hi: { verbs: 'बात|चाहिए|चाहता|चाहती|कराइए|करवा', whom: 'इंसान|इनसान|व्यक्ति|किसी से|एजेंट|आदमी|प्रतिनिधि' },
  id: {
    verbs: 'bicara|berbicara|ngobrol|chat|hubung|mau|ingin|butuh|tolong',
    whom: 'manusia|orang|agen|petugas|admin|cs|staf',
  },
  it: {
    verbs: 'parlare|contattare|chattare|voglio|vorrei|bisogno|passatemi|posso',
    whom: '(?:una|vera) persona|umano|qualcuno|operatore|addetto|consulente',
  },
  ja: { verbs: '話|つな|お願い|連絡|代わ|相談|出して', whom: '人間|担当者|オペレーター|スタッフ|係の人|有人|人と' },
  ko: { verbs: '연결|통화|상담|얘기|이야기|대화|원해|원합|바꿔', whom: '상담원|상담사|사람|직원|담당자' },
  nl: {
    verbs: 'praten|spreken|chatten|verbind|wil|graag|nodig|kan ik',
    whom: 'mens|medewerker|(?:een|echt) persoon|iemand|klantenservice',
  },
  pl: {
    verbs: 'rozmawiac|porozmawiac|pogadac|polacz|chce|chcial|potrzebuje|prosze|moge',
    whom: 'czlowiek|konsultant|osoba|z kims|pracownik|agent',
  },
  pt: {
    verbs: 'falar|conversar|contatar|contactar|quero|queria|preciso|gostaria|passe|posso',
    whom: '(?:uma|com) pessoa|humano|atendente|alguem|um agente|operador|assistente humano',
  },
  th: { verbs: 'คุย|พูด|ติดต่อ|ขอ|อยาก|ต้องการ', whom: 'เจ้าหนาที|เจ้าหน้าที่|คนจริง|พนักงาน|แอดมิน|กับคน|มนุษย์' },
  tr: {
    verbs: 'konus|gorus|bagla|istiyorum|istemek|lutfen|aktar',
    whom: 'insan|temsilci|yetkili|biriyle|gercek kisi|musteri hizmetleri',
  },
  vi: {
    verbs: 'noi chuyen|gap|chat|lien he|muon|can|cho toi',
    whom: 'nguoi that|nhan vien|tu van vien|con nguoi|voi nguoi|tong dai vien',
  },
  zh: { verbs: '转|找|要|跟|和|接|联系|想|请|需要', whom: '人工|真人|客服人员|活人|工作人员|轉人工' },
}

/** Letters between the verb and whom it is about; languages differ in which comes first. */
const NEAR = 30

const ASKS_FOR_PERSON = Object.entries(ASKING).map(([language, { verbs, whom, alone }]) => {
  const isSpaced = !/^(?:ja|ko|th|zh|hi|ar)$/.test(language)
  const begin = isSpaced ? '(?<![\\p{L}\\p{N}])' : ''
  const [verb, noun] = [`${begin}(?:${verbs})`, `${begin}(?:${whom})`]
  const near = `[^.!?。！？\\n]{0,${NEAR}}?`
  const ways = [`${verb}${near}${noun}`, `${noun}${near}${verb}`, ...(alone ? [`${begin}(?:${alone})`] : [])]
  return new RegExp(ways.join('|'), 'u')
})

/** Words that people write in anger, in the same languages, without accents; none of them is used in other moods. */
const SWEAR_WORDS =
  /(?<![\p{L}\p{N}])(?:fuck\w*|shit\w*|bullshit|asshole\w*|wtf|bastards?|scheiss\w*|scheiße|verarsch\w*|arschloch|mierda|joder|gilipollas|cabron\w*|putain|merde|connards?|merda|cazzo|stronz\w*|vaffanculo|caralho|porra|kut|godverdomme|klote|kurwa\w*|cholera jasna|siktir\w*|amk|lanet olsun|bangsat|dit me)(?![\p{L}\p{N}])|妈的|他妈的|操你|クソ|くそ|ふざけるな|씨발|시발|개새끼|เหี้ย|ควย|भोसड़ी|मादरचोद|كلب ابن|تبا لكم/u

/** The longest text that is looked at, in characters. */
const MAX_LENGTH = 1_000
/** Shorter texts in capitals are abbreviations and order numbers. */
const MIN_CAPITALS = 15

/** What the customer wishes besides an answer; the buttons below an answer send their label. */
export function wishOf(message: string): Wish | undefined {
  const text = message.slice(0, MAX_LENGTH).trim()
  if (isButton(text, 'assistant_helped')) return 'helped'
  const folded = fold(text)
  if (isButton(text, 'assistant_person') || ASKS_FOR_PERSON.some((asking) => asking.test(folded))) return 'person'
  return isAngry(text, folded) ? 'anger' : undefined
}

function isButton(text: string, key: 'assistant_helped' | 'assistant_person'): boolean {
  return SERVER_LANGUAGES.some((language) => translate(language, key) === text)
}

/** Whole sentences in capitals, rows of exclamation marks, or swear words. */
function isAngry(text: string, folded: string): boolean {
  if (/[!！]{3,}/.test(text) || SWEAR_WORDS.test(folded)) return true
  const letters = text.match(/[\p{Lu}\p{Ll}]/gu) ?? []
  const capitals = letters.filter((letter) => /\p{Lu}/u.test(letter))
  return letters.length >= MIN_CAPITALS && capitals.length / letters.length > 0.8 && /\S\s+\S+\s+\S/.test(text)
}

/** In lower case and without the accents of Latin letters; marks of other scripts stay, which are letters there. */
function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .replace(/[đłıßأإآ]/g, (letter) => ({ đ: 'd', ł: 'l', ı: 'i', ß: 'ss' })[letter] ?? 'ا')
}
