/** Emoji commonly used in support, by group: character, name, and search words in English and Vietnamese. */
const GROUPED = {
  smileys: `
😀 grinning|happy smile vui cười
😄 smile|happy laugh cười vui
😁 grin|happy cười
😅 sweat_smile|relief phew cười toát mồ hôi
😂 joy|tears laugh cười ra nước mắt
🤣 rofl|laugh floor cười lăn
🙂 slightly_smiling|smile cười nhẹ
😉 wink|flirt nháy mắt
😊 blush|happy smile ngại vui
😇 innocent|angel thiên thần
🥰 smiling_hearts|love yêu
😍 heart_eyes|love yêu thích
😘 kiss|love hôn
😋 yum|tasty ngon
😜 tongue|joke lè lưỡi
🤗 hug|thanks ôm
🤔 thinking|hmm suy nghĩ
🤨 raised_eyebrow|doubt nghi ngờ
😐 neutral|meh bình thường
😏 smirk|sly cười khẩy
🙄 roll_eyes|annoyed đảo mắt
😬 grimace|awkward ngượng
😌 relieved|calm nhẹ nhõm
😴 sleeping|tired ngủ
🤒 sick|ill ốm bệnh
🥳 party|celebrate ăn mừng
😎 sunglasses|cool ngầu
🤓 nerd|glasses mọt sách
😕 confused|unsure bối rối
🙁 frown|sad buồn
😮 open_mouth|surprise ngạc nhiên
😳 flushed|embarrassed đỏ mặt
🥺 pleading|please năn nỉ
😢 cry|sad khóc buồn
😭 sob|sad cry khóc to
😱 scream|fear sợ hãi
😞 disappointed|sad thất vọng
😤 huff|angry bực
😡 angry|mad giận
🤯 mind_blown|shock sốc
🤖 robot|bot rô bốt`,
  hands: `
👋 wave|hello bye chào vẫy
👍 thumbs_up|yes ok like tốt đồng ý
👎 thumbs_down|no dislike không thích
👌 ok_hand|perfect được
✌️ victory|peace chiến thắng
🤞 fingers_crossed|luck hy vọng may mắn
🤝 handshake|deal bắt tay
👏 clap|bravo vỗ tay
🙌 raised_hands|hooray hoan hô
🙏 pray|thanks please cảm ơn làm ơn
💪 muscle|strong mạnh
👉 point_right|this chỉ phải
👇 point_down|below chỉ xuống
👆 point_up|above chỉ lên
✍️ writing|note viết
👀 eyes|look nhìn xem
🤷 shrug|dunno không biết
🙋 raising_hand|me giơ tay`,
  hearts: `
❤️ heart|love tim yêu
🧡 orange_heart|love tim cam
💛 yellow_heart|love tim vàng
💚 green_heart|love tim xanh lá
💙 blue_heart|love tim xanh
💜 purple_heart|love tim tím
💔 broken_heart|sad tan vỡ
💯 hundred|perfect một trăm
✨ sparkles|new shine lấp lánh
⭐ star|favourite sao
🌟 glowing_star|great ngôi sao
🎉 tada|party congratulations chúc mừng
🎊 confetti|party pháo giấy
🎁 gift|present quà
🎂 cake|birthday bánh sinh nhật
🏆 trophy|win cúp
🔥 fire|hot lửa
⚡ zap|fast power nhanh điện
💡 bulb|idea ý tưởng
🚀 rocket|launch fast tên lửa`,
  nature: `
☀️ sun|weather nắng mặt trời
🌤️ partly_sunny|weather ít mây
🌧️ rain|weather mưa
⛈️ storm|weather bão
❄️ snow|cold tuyết lạnh
🌈 rainbow|weather cầu vồng
🌸 blossom|flower hoa đào
🌹 rose|flower hoa hồng
🌱 seedling|plant cây non
🌍 earth|world trái đất
🐶 dog|pet chó
🐱 cat|pet mèo
🐢 turtle|slow rùa
🐛 bug|insect error lỗi sâu`,
  food: `
☕ coffee|drink cà phê
🍵 tea|drink trà
🍺 beer|drink bia
🥂 cheers|drink cụng ly
🍕 pizza|food
🍔 burger|food
🍜 noodles|pho food phở mì
🍚 rice|food cơm
🍞 bread|food bánh mì
🍎 apple|fruit táo
🍌 banana|fruit chuối
🍓 strawberry|fruit dâu
🥕 carrot|vegetable cà rốt
🍰 dessert|cake bánh ngọt
🍫 chocolate|sweet sô cô la`,
  things: `
📧 email|mail thư
📨 incoming_mail|mail thư đến
📞 phone|call điện thoại
📱 mobile|phone di động
💻 laptop|computer máy tính
🖥️ desktop|computer màn hình
🖨️ printer|paper máy in
📷 camera|photo máy ảnh
🔗 link|url liên kết
📎 paperclip|attachment đính kèm
📄 page|document tài liệu
📝 memo|note ghi chú
📅 calendar|date lịch ngày
⏰ alarm|time báo thức
⏳ hourglass|wait đợi chờ
📦 package|parcel delivery gói hàng
🚚 truck|delivery giao hàng
✈️ plane|travel máy bay
🏠 house|home nhà
🏢 office|company công ty
🛒 cart|shopping giỏ hàng
💳 card|payment thẻ thanh toán
💰 money|price tiền
🧾 receipt|invoice hóa đơn
🏷️ label|price tag nhãn giá
🔒 lock|secure khóa
🔑 key|password chìa khóa
🔧 wrench|fix sửa
⚙️ gear|settings cài đặt
🔍 search|find tìm
🔔 bell|notify chuông
🗑️ trash|delete thùng rác
📈 chart_up|growth tăng
📉 chart_down|loss giảm`,
  signs: `
✅ check|done yes xong đúng
❌ cross|no wrong sai không
⚠️ warning|careful cảnh báo
❓ question|what câu hỏi
❗ exclamation|important quan trọng
ℹ️ info|information thông tin
🚫 prohibited|no cấm
⛔ no_entry|stop dừng
🔴 red_circle|stop đỏ
🟡 yellow_circle|wait vàng
🟢 green_circle|go ok xanh
➡️ right|arrow next tiếp phải
⬅️ left|arrow back trái
⬆️ up|arrow lên
⬇️ down|arrow xuống
🔄 refresh|again tải lại
♻️ recycle|green tái chế
🆕 new|fresh mới
🆗 ok|fine được
🔜 soon|later sắp
©️ copyright|legal bản quyền
™️ trademark|legal nhãn hiệu`,
} as const

export type EmojiGroup = keyof typeof GROUPED

export interface Emoji {
  sign: string
  /** Its name between colons. */
  name: string
  /** All search words, without accents. */
  words: string
}

export const EMOJI_GROUPS: readonly { name: EmojiGroup; emoji: readonly Emoji[] }[] = Object.entries(GROUPED).map(
  ([name, lines]) => ({ name: name as EmojiGroup, emoji: lines.trim().split('\n').map(readLine) }),
)

/** Emoji whose name or words start with every word of a text, those whose name starts with it first. */
export function findEmoji(text: string): Emoji[] {
  const query = plain(text)
    .split(/[\s_]+/)
    .filter(Boolean)
  const all = EMOJI_GROUPS.flatMap(({ emoji }) => emoji)
  const found = all.filter(({ words }) => query.every((word) => words.split(' ').some((one) => one.startsWith(word))))
  const isNamed = ({ name }: Emoji) => name.startsWith(query.join('_'))
  return [...found.filter(isNamed), ...found.filter((emoji) => !isNamed(emoji))]
}

function readLine(line: string): Emoji {
  const [sign = '', rest = ''] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]
  const [name = '', words = ''] = rest.split('|')
  return { sign, name, words: plain(`${name.replaceAll('_', ' ')} ${name} ${words}`) }
}

/** Without accents, so that both spellings match. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('đ', 'd').replaceAll('Đ', 'd').toLowerCase()
}
