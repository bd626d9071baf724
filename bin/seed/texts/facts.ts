/** Comments of ratings. */
export const COMMENTS = [
  'Quick and kind.',
  'Answered before I had finished my coffee.',
  'Solved, but I had to ask twice.',
  'Best support I have had in years!',
  'Tuyệt vời, cảm ơn shop.',
  'It took a day, the answer was good though.',
  'Honest about the mistake. Thank you.',
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
