const en = {
  title: 'Welcome!',
  subtitle: 'Ask us anything in the chat window below 😊',
  placeholder: 'Start typing...',
  send: 'Send message',
  close: 'Close chat',
  conversation: 'Conversation',
  sending: 'Sending…',
  sent: 'Sent',
  seen: 'Seen',
  waiting: 'Waiting to be sent',
  notSent: 'Not sent.',
  retry: 'Retry',
  justNow: 'just now',
  offline: 'You’re offline. Your messages are kept and sent when you’re back.',
  unreachable: 'Reconnecting… Your messages are kept.',
  catchingUp: 'Catching up…',
  slowDown: 'That was quick. Sending goes on in {seconds} s.',
  closed: 'This conversation was closed.',
  older: 'Show earlier messages',
  newer: 'New messages',
  typing: '{name} is typing',
  agent: 'Agent',
  bot: 'Bot',
  you: 'You',
}

export type Words = typeof en

const vi: Words = {
  title: 'Xin chào!',
  subtitle: 'Hãy hỏi chúng tôi bất cứ điều gì trong khung chat bên dưới 😊',
  placeholder: 'Nhập tin nhắn...',
  send: 'Gửi tin nhắn',
  close: 'Đóng khung chat',
  conversation: 'Cuộc trò chuyện',
  sending: 'Đang gửi…',
  sent: 'Đã gửi',
  seen: 'Đã xem',
  waiting: 'Đang chờ gửi',
  notSent: 'Chưa gửi được.',
  retry: 'Thử lại',
  justNow: 'vừa xong',
  offline: 'Bạn đang ngoại tuyến. Tin nhắn được giữ lại và sẽ gửi khi có mạng.',
  unreachable: 'Đang kết nối lại… Tin nhắn của bạn được giữ lại.',
  catchingUp: 'Đang cập nhật…',
  slowDown: 'Bạn nhắn nhanh quá. Sẽ gửi tiếp sau {seconds} giây.',
  closed: 'Cuộc trò chuyện này đã đóng.',
  older: 'Xem tin nhắn cũ hơn',
  newer: 'Tin nhắn mới',
  typing: '{name} đang nhập',
  agent: 'Nhân viên',
  bot: 'Bot',
  you: 'Bạn',
}

const ar: Words = {
  title: 'مرحبًا!',
  subtitle: 'اسألنا أي شيء في نافذة المحادثة أدناه 😊',
  placeholder: 'اكتب رسالتك...',
  send: 'إرسال الرسالة',
  close: 'إغلاق المحادثة',
  conversation: 'المحادثة',
  sending: 'جارٍ الإرسال…',
  sent: 'أُرسلت',
  seen: 'تمت المشاهدة',
  waiting: 'بانتظار الإرسال',
  notSent: 'لم تُرسل.',
  retry: 'إعادة المحاولة',
  justNow: 'الآن',
  offline: 'أنت غير متصل. رسائلك محفوظة وستُرسل عند عودة الاتصال.',
  unreachable: 'جارٍ إعادة الاتصال… رسائلك محفوظة.',
  catchingUp: 'جارٍ التحديث…',
  slowDown: 'مهلًا قليلًا. يُستأنف الإرسال بعد {seconds} ث.',
  closed: 'أُغلقت هذه المحادثة.',
  older: 'عرض الرسائل السابقة',
  newer: 'رسائل جديدة',
  typing: '{name} يكتب الآن',
  agent: 'موظف الدعم',
  bot: 'بوت',
  you: 'أنت',
}

const catalogue: Record<string, Words> = { en, vi, ar }

export interface Speech {
  language: string
  direction: 'ltr' | 'rtl'
  words: Words
}

/** The first of the wished languages that we speak; English when none is. */
export function chooseSpeech(wishes: (string | null | undefined)[]): Speech {
  const spoken = wishes.map((wish) => wish?.slice(0, 2).toLowerCase() ?? '').find((wish) => catalogue[wish])
  const language = spoken ?? 'en'
  return { language, direction: language === 'ar' ? 'rtl' : 'ltr', words: catalogue[language]! }
}

/** Puts values into `{places}`. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}
