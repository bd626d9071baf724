import i18next from 'i18next'
import { REFERENCE_LANGUAGE } from '#contract/languages.ts'
import type english from '../../../../../locales/en/dashboard/emoji.json'

/** Emoji commonly used in support, by group: character and name. Their search words are texts. */
const GROUPED = {
  smileys: `
😀 grinning
😄 smile
😁 grin
😅 sweat_smile
😂 joy
🤣 rofl
🙂 slightly_smiling
😉 wink
😊 blush
😇 innocent
🥰 smiling_hearts
😍 heart_eyes
😘 kiss
😋 yum
😜 tongue
🤗 hug
🤔 thinking
🤨 raised_eyebrow
😐 neutral
😏 smirk
🙄 roll_eyes
😬 grimace
😌 relieved
😴 sleeping
🤒 sick
🥳 party
😎 sunglasses
🤓 nerd
😕 confused
🙁 frown
😮 open_mouth
😳 flushed
🥺 pleading
😢 cry
😭 sob
😱 scream
😞 disappointed
😤 huff
😡 angry
🤯 mind_blown
🤖 robot`,
  hands: `
👋 wave
👍 thumbs_up
👎 thumbs_down
👌 ok_hand
✌️ victory
🤞 fingers_crossed
🤝 handshake
👏 clap
🙌 raised_hands
🙏 pray
💪 muscle
👉 point_right
👇 point_down
👆 point_up
✍️ writing
👀 eyes
🤷 shrug
🙋 raising_hand`,
  hearts: `
❤️ heart
🧡 orange_heart
💛 yellow_heart
💚 green_heart
💙 blue_heart
💜 purple_heart
💔 broken_heart
💯 hundred
✨ sparkles
⭐ star
🌟 glowing_star
🎉 tada
🎊 confetti
🎁 gift
🎂 cake
🏆 trophy
🔥 fire
⚡ zap
💡 bulb
🚀 rocket`,
  nature: `
☀️ sun
🌤️ partly_sunny
🌧️ rain
⛈️ storm
❄️ snow
🌈 rainbow
🌸 blossom
🌹 rose
🌱 seedling
🌍 earth
🐶 dog
🐱 cat
🐢 turtle
🐛 bug`,
  food: `
☕ coffee
🍵 tea
🍺 beer
🥂 cheers
🍕 pizza
🍔 burger
🍜 noodles
🍚 rice
🍞 bread
🍎 apple
🍌 banana
🍓 strawberry
🥕 carrot
🍰 dessert
🍫 chocolate`,
  things: `
📧 email
📨 incoming_mail
📞 phone
📱 mobile
💻 laptop
🖥️ desktop
🖨️ printer
📷 camera
🔗 link
📎 paperclip
📄 page
📝 memo
📅 calendar
⏰ alarm
⏳ hourglass
📦 package
🚚 truck
✈️ plane
🏠 house
🏢 office
🛒 cart
💳 card
💰 money
🧾 receipt
🏷️ label
🔒 lock
🔑 key
🔧 wrench
⚙️ gear
🔍 search
🔔 bell
🗑️ trash
📈 chart_up
📉 chart_down`,
  signs: `
✅ check
❌ cross
⚠️ warning
❓ question
❗ exclamation
ℹ️ info
🚫 prohibited
⛔ no_entry
🔴 red_circle
🟡 yellow_circle
🟢 green_circle
➡️ right
⬅️ left
⬆️ up
⬇️ down
🔄 refresh
♻️ recycle
🆕 new
🆗 ok
🔜 soon
©️ copyright
™️ trademark`,
} as const

export type EmojiGroup = keyof typeof GROUPED

export interface Emoji {
  character: string
  /** Its name between colons. */
  name: EmojiName
}

type EmojiName = keyof typeof english.emoji_words

export const EMOJI_GROUPS: readonly { name: EmojiGroup; emoji: readonly Emoji[] }[] = Object.entries(GROUPED).map(
  ([name, lines]) => ({ name: name as EmojiGroup, emoji: lines.trim().split('\n').map(readLine) }),
)

/**
 * Emoji whose name or words start with every word of a text, those whose name starts with it first. Their words in the
 * language of the screens and in English have been loaded before.
 */
export function findEmoji(text: string): Emoji[] {
  const query = plain(text)
    .split(/[\s_]+/)
    .filter(Boolean)
  const all = EMOJI_GROUPS.flatMap(({ emoji }) => emoji)
  const matches = all.filter((emoji) => {
    const words = listWords(emoji)
    return query.every((word) => words.some((candidate) => candidate.startsWith(word)))
  })
  const isNamed = ({ name }: Emoji) => name.startsWith(query.join('_'))
  return [...matches.filter(isNamed), ...matches.filter((emoji) => !isNamed(emoji))]
}

function listWords({ name }: Emoji): string[] {
  const texts = [i18next.language, REFERENCE_LANGUAGE].map((lng) => i18next.t(`emoji_words.${name}`, { lng }))
  return plain(`${name} ${name.replaceAll('_', ' ')} ${texts.join(' ')}`).split(' ')
}

function readLine(line: string): Emoji {
  const [character = '', name = ''] = line.split(' ')
  return { character, name: name as EmojiName }
}

/** Without accents, so that both spellings match. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('đ', 'd').replaceAll('Đ', 'd').toLowerCase()
}
