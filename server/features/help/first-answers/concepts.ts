import { SERVER_LANGUAGES } from '../../../languages.ts'

// What an answer must not say of its own, whatever language it is in: days, and what a company could be held to.

/** Beginnings of words for what costs a company something, in the languages of the chat, in lower case. */
const COMMITMENTS: Record<string, string[]> = {
  refund: [
    'refund',
    'money back',
    'reimburs',
    'erstatt',
    'geld zurück',
    'rembours',
    'reembols',
    'devolución del dinero',
    'devolveremos',
    'rimbors',
    'terugbetal',
    'geld terug',
    'zwrot',
    'zwróc',
    'iade',
    'hoàn tiền',
    'mengembalikan uang',
    'pengembalian dana',
    'استرداد',
    'रिफ़ंड',
    'रिफंड',
    '返金',
    '환불',
    'คืนเงิน',
    '退款',
  ],
  discount: [
    'discount',
    'voucher',
    'coupon',
    '% off',
    'rabatt',
    'gutschein',
    'remise',
    'réduction',
    'bon d’achat',
    'descuento',
    'cupón',
    'desconto',
    'cupom',
    'sconto',
    'buono',
    'korting',
    'tegoedbon',
    'rabat',
    'zniżk',
    'indirim',
    'giảm giá',
    'diskon',
    'خصم',
    'छूट',
    '割引',
    'クーポン',
    '할인',
    'ส่วนลด',
    '折扣',
    '优惠',
  ],
  free: [
    'for free',
    'free of charge',
    'no charge',
    'kostenlos',
    'gratis',
    'umsonst',
    'gratuit',
    'sans frais',
    'sin coste',
    'de graça',
    'bezpłatn',
    'darmow',
    'ücretsiz',
    'bedava',
    'miễn phí',
    'مجان',
    'मुफ़्त',
    'मुफ्त',
    '無料',
    '무료',
    'ฟรี',
    '免费',
  ],
  guarantee: [
    'guarantee',
    'warrant',
    'promise',
    'garanti',
    'gewährleist',
    'versprech',
    'promett',
    'promet',
    'garant',
    'obiec',
    'gwaran',
    'söz ver',
    'bảo hành',
    'cam kết',
    'ضمان',
    'गारंटी',
    'वादा',
    '保証',
    '約束',
    '보증',
    '약속',
    'รับประกัน',
    '保证',
    '保修',
  ],
  compensation: [
    'compensat',
    'damages',
    'schadenersatz',
    'schadensersatz',
    'entschädig',
    'indemni',
    'dédommag',
    'indeniz',
    'risarci',
    'schadevergoed',
    'odszkodow',
    'tazminat',
    'bồi thường',
    'kompensasi',
    'تعويض',
    'मुआवज़ा',
    '補償',
    '배상',
    '보상',
    'ชดเชย',
    '赔偿',
  ],
  replacement: [
    'replace',
    'new one',
    'ersatzlieferung',
    'ersetzen',
    'ersetzt',
    'umtausch',
    'remplac',
    'reemplaz',
    'substitu',
    'sostitu',
    'vervang',
    'wymien',
    'wymian',
    'değiştir',
    'đổi mới',
    'ganti',
    'استبدال',
    'बदल',
    '交換',
    '교환',
    'เปลี่ยนสินค้า',
    '更换',
    '换货',
  ],
}

/** Names of months and weekdays by what they mean: `month 4` is April and abril. */
const DAYS = new Map<string, string>()
for (const language of SERVER_LANGUAGES) {
  const names = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC', calendar: 'gregory' })
  const [month, weekday] = [names({ month: 'long' }), names({ weekday: 'long' })]
  for (let at = 0; at < 12; at++) DAYS.set(month.format(Date.UTC(2026, at, 1)), `month ${at}`)
  for (let at = 0; at < 7; at++) DAYS.set(weekday.format(Date.UTC(2026, 1, 1 + at)), `weekday ${at}`)
}
const DAY_NAMES = [...DAYS.keys()]
  .filter((name) => !/\d/.test(name))
  .sort((a, b) => b.length - a.length)
  .join('|')

/** The days and commitments that a text mentions, the same in every language. */
export function conceptsIn(text: string): Set<string> {
  const concepts = new Set<string>()
  // Letter by letter: `May` is a month, and `may` is not.
  for (const [name] of text.matchAll(new RegExp(`(?<![\\p{L}])(?:${DAY_NAMES})(?![\\p{Ll}])`, 'gu'))) {
    concepts.add(DAYS.get(name)!)
  }
  const folded = text.toLowerCase()
  for (const [concept, words] of Object.entries(COMMITMENTS)) {
    if (words.some((word) => folded.includes(word))) concepts.add(concept)
  }
  return concepts
}
