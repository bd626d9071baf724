/**
 * Messages of the seeded company. A line starts with its author: `c` the customer, `a` the team, `n` a private note.
 * Words in braces are placeholders.
 */
export const ENGLISH: readonly (readonly string[])[] = [
  [
    'c Hi, my order {order} was due yesterday and the tracking page has not moved since {day}. Is it lost?',
    'a Hello {first}, sorry about the wait. Let me look it up.',
    'n Carrier says the parcel sits in the {city} depot, label damaged.',
    'a The parcel is in {city} with a damaged label. I have asked for a new one; it should leave tomorrow morning.',
    'c Great, thanks for the quick answer!',
  ],
  [
    'c Does the {product} come with the wall bracket, or do I have to order that separately?',
    'a It is in the box, together with screws for brick and plasterboard.',
    'c Perfect, ordering now.',
  ],
  [
    'c The {product} arrived with a scratch along the left side. See order {order}.',
    'a Oh no. Would a replacement or 15% back suit you better?',
    'c A replacement please, it is a gift.',
    'n Second scratch this month from the same batch – tell the warehouse.',
    'a It is on its way, and you can keep the scratched one for now. We will collect it next week.',
    'c You are the best. Thank you!',
  ],
  [
    'c Can I still change the delivery address of {order}?',
    'a Yes, it has not left yet. What is the new address?',
    'c 14 Orchard Lane, second floor, the bell says Whitfield.',
    'a Changed. You will get a new confirmation by e-mail.',
  ],
  [
    'c I would like an invoice with our VAT number on it. Order {order}.',
    'a Of course. Which number and company name shall it show?',
    'c Harbour Studio Ltd, GB 245 8812 09',
    'a Here you go, I have sent it to your e-mail address.',
    'c Got it.',
  ],
  ['c hello? anyone there', 'a Good morning {first}! How can I help?', 'c nvm found it in the faq :)'],
  [
    'c Do you ship to Portugal? And what would the customs be?',
    'a We do, from our warehouse in Rotterdam, so there are no customs. It takes three to five days.',
    'c Wonderful.',
  ],
  [
    'c My discount code WELCOME10 says it has expired but I only got it this morning',
    'n Code was limited to 500 uses. Give a personal one.',
    'a Sorry, that one ran out faster than we thought. Use HELLO-{number} instead, it is only for you.',
    'c Works. Thank you {agent}!',
  ],
  [
    'c The lamp flickers whenever I dim it below half. Is that normal?',
    'a That sounds like a dimmer made for halogen. Which model is it?',
    'c It just says “LEGRAND 400W” on the side.',
    'a That is it, LEDs need less than it can go down to. A dimmer from 3 W upwards will fix the flicker; any electrician has one.',
    'c Learned something new. Thanks!',
  ],
  [
    'c Could someone call me back about the {product}? I have a few questions before buying six of them for our office.',
    'a Gladly. When and on which number?',
    'c Tomorrow after 2 pm, the number is in my account.',
    'n Called, wants six in oak. Offer sent.',
    'a As discussed, the offer is in your inbox.',
  ],
  [
    'c I want to return the {product}, it is bigger than I thought. How does that work?',
    'a No problem within 30 days. I have sent you a label; just drop it off at any parcel shop.',
    'c And when do I get the money back?',
    'a Two working days after it reaches us, to the card you paid with.',
  ],
  [
    'c Your checkout gives me “payment declined” but my bank says all is fine.',
    'a Thank you for telling us. Which browser are you using?',
    'c Firefox on a Mac, private window',
    'n 3-D Secure pop-up is blocked in private windows, known.',
    'a The bank’s confirmation window is blocked in private mode. In a normal window it should work – your basket is still there.',
    'c Yes! Went through.',
  ],
  [
    'c Is the {product} suitable for a bathroom?',
    'a It is IP44, so everywhere except right above the tub.',
    'c Thanks',
  ],
  [
    'c I was charged twice for {order}!',
    'a I see one payment and one reservation. The reservation disappears by itself, usually within three days.',
    'c ok I will wait until {day} then',
    'a If it is still there by then, write to me and I will chase the bank.',
  ],
  [
    'c Love the new catalogue. Who is the photographer?',
    'a Linh Tran, she did the whole autumn series. I will tell her!',
    'c Please do 😊',
  ],
]

export const VIETNAMESE: readonly (readonly string[])[] = [
  [
    'c Chào shop, đơn hàng {order} của mình bao giờ giao vậy ạ?',
    'a Chào {first}, đơn đang ở kho {cityVi}, dự kiến giao trong ngày mai ạ.',
    'c Dạ mình cảm ơn shop nhiều!',
  ],
  [
    'c Shop ơi, {productVi} còn màu gỗ sồi không?',
    'a Dạ còn 3 cái ạ. Mình giữ lại cho {first} đến hết hôm nay nhé?',
    'c Ok shop giữ giúp mình một cái nha',
    'a Mình đã giữ rồi ạ, {first} đặt trên web là được.',
    'c Tuyệt vời 😍',
  ],
  [
    'c Mình nhận được đèn nhưng bóng bị vỡ, phải làm sao ạ?',
    'a Thành thật xin lỗi {first}. Bạn gửi giúp mình ảnh bóng đèn được không ạ?',
    'c Mình gửi rồi đó shop',
    'n Vỡ khi vận chuyển, gửi bóng mới miễn phí.',
    'a Shop gửi bóng mới cho bạn trong hôm nay, miễn phí ạ.',
    'c Cảm ơn shop, phục vụ tốt quá',
  ],
  [
    'c Cho mình hỏi phí giao hàng về Đà Nẵng là bao nhiêu?',
    'a Dạ đơn trên 500.000đ được miễn phí giao hàng toàn quốc ạ.',
    'c Vậy mình đặt luôn nha',
  ],
  [
    'c Mình muốn đổi sang hoá đơn công ty được không ạ?',
    'a Được ạ. Bạn cho mình xin tên công ty và mã số thuế nhé.',
    'c Công ty TNHH Ánh Dương, MST 0312345678',
    'a Hoá đơn đã được gửi vào email của bạn rồi ạ.',
  ],
  [
    'c Ứng dụng báo lỗi khi mình thanh toán bằng thẻ, thử 3 lần rồi vẫn vậy',
    'a Bạn đang dùng điện thoại hay máy tính ạ?',
    'c điện thoại, trình duyệt Chrome',
    'a Bạn thử tắt chế độ ẩn danh giúp mình nhé, ngân hàng cần mở cửa sổ xác nhận.',
    'c Được rồi shop ơi, cảm ơn nhiều!',
  ],
  [
    'c Shop có cửa hàng ở Hà Nội không? Mình muốn xem trực tiếp.',
    'a Dạ có, 27 Hàng Bông, mở cửa 9 giờ đến 21 giờ mỗi ngày ạ.',
    'c Cuối tuần này mình ghé nhé',
  ],
]

export const PRODUCTS = [
  'Lantern floor lamp',
  'Oak reading lamp',
  'Fjord pendant',
  'Juniper desk',
  'Tidal shelf',
  'Moss armchair',
  'Ember table lamp',
]
export const PRODUCTS_VI = ['đèn đọc sách', 'ghế bành Moss', 'bàn làm việc Juniper', 'kệ Tidal', 'đèn thả Fjord']
export const CITIES = ['Leeds', 'Utrecht', 'Lyon', 'Porto', 'Graz', 'Bristol', 'Ghent']
export const CITIES_VI = ['Thủ Đức', 'Long Biên', 'Hải Châu', 'Bình Thạnh']
export const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']

/** The last eight write Vietnamese. */
export const NAMES = [
  'Amelia Whitfield',
  'Noah Brandt',
  'Inès Laurent',
  'Tomás Ferreira',
  'Greta Lindqvist',
  'Oliver Hughes',
  'Yuki Tanaka',
  'Priya Raman',
  'Marta Kowalska',
  'Samuel Osei',
  'Hannah Weiss',
  'Leo Marchetti',
  'Aoife Byrne',
  'Daniel Novák',
  'Fatima Zahra',
  'Jonas Eriksen',
  'Nguyễn Minh Anh',
  'Trần Quốc Bảo',
  'Lê Thu Hà',
  'Phạm Gia Huy',
  'Võ Ngọc Lan',
  'Đặng Hoàng Nam',
  'Bùi Khánh Linh',
  'Hồ Đức Thịnh',
]
export const BROWSERS = ['Chrome', 'Firefox', 'Safari', 'Edge']
export const SYSTEMS = ['Windows', 'Mac OS X', 'Android', 'iOS', 'Linux']
export const ZONES = ['Europe/London', 'Europe/Berlin', 'Asia/Ho_Chi_Minh', 'Europe/Lisbon', 'Asia/Tokyo']
export const PAGES = [
  '/',
  '/lamps',
  '/lamps/oak-reading-lamp',
  '/desks/juniper',
  '/basket',
  '/checkout',
  '/delivery',
  '/returns',
]
