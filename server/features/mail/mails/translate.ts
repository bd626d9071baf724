import { withoutLinks } from './without-links.ts'

/** Texts of mails. Placeholders are in braces. */
const en = {
  verification_subject: 'Confirm your email address',
  verification_text: 'Welcome to Parley. Please confirm that this address is yours.',
  verification_button: 'Confirm email address',
  reset_subject: '[Parley] Link to reset your password',
  reset_text:
    'Somebody, probably you, asked to reset the password of this address. The link works once, within {hours} hours.',
  reset_button: 'Choose a new password',
  reset_ignore: 'If it was not you, there is nothing to do: your password stays as it is.',
  two_factor_removed_subject: '[Parley] Your second factor was removed',
  two_factor_removed_text:
    'An admin of your team or the operator of this installation removed the second factor of your account. You sign in with your password alone until you set up a new one in your profile.',
  two_factor_removed_ignore: 'If you did not ask for it, change your password and tell your team admin.',
  invitation_subject: '{name} has invited you to join {company} on Parley!',
  invitation_subject_nobody: "You've been invited to join {company} on Parley!",
  invitation_text:
    '{company} answers its customers with Parley. Join the team with this address; the link works for {days} days.',
  invitation_button: 'Join {company}',
  message_subject_both: '{name} ({email}) has sent you a message',
  message_subject: '{name} has sent you a message',
  message_subject_nobody: 'A customer has sent you a message (conversation {id})',
  message_text: 'A new message has arrived.',
  conversation_subject_both: '{name} ({email}) has started a conversation',
  conversation_subject: '{name} has started a conversation',
  conversation_subject_nobody: 'A customer has started a conversation ({id})',
  conversation_text: '{name} has started a conversation:',
  conversation_text_page: '{name} has started a conversation on {page}:',
  forwarding_test_subject: 'Testing email forwarding to Parley',
  forwarding_test_text:
    'This mail was sent to {address} to check whether its mail is forwarded to Parley. You do not have to do anything: once it arrives, the forwarding address is marked as verified.',
  mailbox_test_subject: 'Testing this mailbox with Parley',
  mailbox_test_text:
    'Parley sent this mail from the mailbox to itself to check whether sending and receiving work. You do not have to do anything.',
  customer: 'A customer',
  view: 'View in dashboard',
  webhook_off_subject: 'A webhook to {host} was switched off',
  webhook_off_text:
    'Every delivery to {host} has failed for three days, so this webhook was switched off. Undelivered events stay in its log for a week and can be sent from there.',
  webhook_off_button: 'Open the webhook',
  template_failed_subject: 'Your email template could not be used',
  template_failed_text:
    'A mail to a customer could not be created from your template, so it was sent in the standard layout. The others will be too, until the template is fixed.',
  template_failed_reason: 'Reason',
  template_failed_button: 'Open the templates',
  integration_broken_subject: '{name} needs to be reconnected',
  integration_broken_text:
    '{name} is no longer connected. Nothing is lost: messages wait to be sent until it is connected again.',
  integration_broken_button: 'Connect again',
  mention_subject: 'You were mentioned in a message on Parley!',
  mention_text: '{name} mentioned you in a conversation with {customer}.',
  alerts: 'Choose which mails you get in your profile',
  reply_subject: 'New message from {company}!',
  reply_text: '{company} has replied to you:',
  reply_text_many: '{company} has replied to you. These are the latest messages:',
  reply_back: 'You can simply reply to this mail.',
  reply_visit: 'Continue on the website',
  unsubscribe: 'No more mails like this one',
  transcript_subject: 'A conversation with {customer}',
  transcript_text: '{name} has forwarded a conversation with {customer} to you. Replies go to {name}.',
  payment_failed_subject: 'Your payment for Parley has failed',
  payment_failed_text:
    'Your last payment failed. Your plan stays as it is until {date}. Please check your card or choose another one before then; after that day your account continues on the Starter plan.',
  plan_ended_subject: 'Your account is on the Starter plan now',
  plan_ended_text:
    'No payment was received in time, so your subscription has ended and your account continues on the Starter plan. Choose a plan to subscribe again.',
  retention_subject: 'Your plan keeps closed conversations for {days} days',
  retention_text:
    'Starting on {date}, closed conversations without a message for {days} days are deleted, as defined by your plan. Before then, choose a plan that keeps them longer, or export what you need.',
  mail_quota_subject: 'Your company receives too much mail',
  mail_quota_text:
    'So much mail arrives for your company that Parley asks its senders to try again later. Nothing is lost: their mail servers repeat it for some days. If it is a flood, block its senders at your mail provider.',
  mail_quota_button: 'Open the health page',
  billing_button: 'Open billing',
  you: 'You',
  attached: 'File: {filename}',
  file: '(a file)',
}

export type Word = keyof typeof en

const vi: Record<Word, string> = {
  verification_subject: 'Xác nhận địa chỉ email của bạn',
  verification_text: 'Chào mừng bạn đến với Parley. Vui lòng xác nhận đây là địa chỉ của bạn.',
  verification_button: 'Xác nhận địa chỉ email',
  reset_subject: '[Parley] Liên kết đặt lại mật khẩu',
  reset_text:
    'Ai đó, có lẽ là bạn, đã yêu cầu đặt lại mật khẩu cho địa chỉ này. Liên kết dùng được một lần, trong vòng {hours} giờ.',
  reset_button: 'Chọn mật khẩu mới',
  reset_ignore: 'Nếu không phải bạn thì không cần làm gì: mật khẩu của bạn vẫn như cũ.',
  two_factor_removed_subject: '[Parley] Xác thực hai bước của bạn đã bị gỡ',
  two_factor_removed_text:
    'Một quản trị viên trong nhóm hoặc người vận hành hệ thống này đã gỡ xác thực hai bước của tài khoản bạn. Bạn chỉ cần mật khẩu để đăng nhập cho đến khi thiết lập lại trong hồ sơ của mình.',
  two_factor_removed_ignore: 'Nếu bạn không yêu cầu việc này, hãy đổi mật khẩu và báo cho quản trị viên của nhóm.',
  invitation_subject: '{name} mời bạn tham gia {company} trên Parley!',
  invitation_subject_nobody: 'Bạn được mời tham gia {company} trên Parley!',
  invitation_text:
    '{company} trả lời khách hàng bằng Parley. Hãy tham gia nhóm bằng địa chỉ này; liên kết dùng được trong {days} ngày.',
  invitation_button: 'Tham gia {company}',
  message_subject_both: '{name} ({email}) đã gửi tin nhắn cho bạn',
  message_subject: '{name} đã gửi tin nhắn cho bạn',
  message_subject_nobody: 'Một khách hàng đã gửi tin nhắn cho bạn (hội thoại {id})',
  message_text: 'Có tin nhắn mới.',
  conversation_subject_both: '{name} ({email}) đã bắt đầu một hội thoại',
  conversation_subject: '{name} đã bắt đầu một hội thoại',
  conversation_subject_nobody: 'Một khách hàng đã bắt đầu một hội thoại ({id})',
  conversation_text: '{name} đã bắt đầu một hội thoại:',
  conversation_text_page: '{name} đã bắt đầu một hội thoại trên trang {page}:',
  forwarding_test_subject: 'Thử chuyển tiếp email đến Parley',
  forwarding_test_text:
    'Thư này được gửi đến {address} để xem thư của địa chỉ đó có được chuyển tiếp đến Parley không. Bạn không cần làm gì: khi thư quay lại, địa chỉ chuyển tiếp được đánh dấu là đã xác minh.',
  mailbox_test_subject: 'Kiểm tra hộp thư này với Parley',
  mailbox_test_text:
    'Parley đã gửi thư này từ hộp thư đến chính nó để xem cả hai chiều có hoạt động không. Bạn không cần làm gì.',
  customer: 'Một khách hàng',
  view: 'Xem trong bảng điều khiển',
  webhook_off_subject: 'Webhook đến {host} đã bị tắt',
  webhook_off_text:
    'Trong ba ngày mọi lần gửi đến {host} đều thất bại nên webhook này đã bị tắt. Những gì chưa gửi được còn trong nhật ký một tuần và có thể gửi lại từ đó.',
  webhook_off_button: 'Mở webhook',
  template_failed_subject: 'Không dùng được mẫu email của bạn',
  template_failed_text:
    'Không thể tạo email cho khách hàng từ mẫu riêng của bạn, nên email được gửi theo mẫu của Parley. Các email khác cũng vậy cho đến khi mẫu được sửa.',
  template_failed_reason: 'Lý do',
  template_failed_button: 'Mở các mẫu',
  integration_broken_subject: '{name} cần bạn xử lý',
  integration_broken_text: '{name} không còn kết nối. Không có gì bị mất: những gì cần gửi sẽ chờ đến khi kết nối lại.',
  integration_broken_button: 'Kết nối lại',
  mention_subject: 'Bạn được nhắc đến trong một tin nhắn trên Parley!',
  mention_text: '{name} đã nhắc đến bạn trong hội thoại với {customer}.',
  alerts: 'Chọn những email bạn muốn nhận trong hồ sơ',
  reply_subject: 'Tin nhắn mới từ {company}!',
  reply_text: '{company} đã trả lời bạn:',
  reply_text_many: '{company} đã trả lời bạn. Những lời gần đây nhất:',
  reply_back: 'Bạn chỉ cần trả lời email này.',
  reply_visit: 'Tiếp tục trên trang web',
  unsubscribe: 'Không nhận những email như thế này nữa',
  transcript_subject: 'Cuộc hội thoại với {customer}',
  transcript_text: '{name} đã chuyển tiếp cho bạn một cuộc hội thoại với {customer}. Thư trả lời sẽ đến {name}.',
  payment_failed_subject: 'Thanh toán cho Parley không thành công',
  payment_failed_text:
    'Lần thanh toán gần nhất của bạn không thành công. Gói của bạn được giữ nguyên đến {date}. Trước ngày đó, hãy kiểm tra thẻ hoặc chọn thẻ khác; sau đó tài khoản sẽ chuyển sang gói Starter.',
  plan_ended_subject: 'Tài khoản của bạn hiện dùng gói Starter',
  plan_ended_text:
    'Chưa có khoản thanh toán nào đúng hạn, vì vậy đăng ký của bạn đã kết thúc và tài khoản chuyển sang gói Starter. Hãy chọn một gói để đăng ký lại.',
  retention_subject: 'Gói của bạn lưu hội thoại đã đóng trong {days} ngày',
  retention_text:
    'Từ {date}, các hội thoại đã đóng không có tin nhắn mới trong {days} ngày sẽ bị xóa vĩnh viễn theo gói của bạn. Trước ngày đó, hãy chọn gói lưu lâu hơn hoặc xuất dữ liệu bạn cần.',
  mail_quota_subject: 'Công ty bạn nhận quá nhiều email',
  mail_quota_text:
    'Có quá nhiều email gửi đến công ty bạn nên Parley yêu cầu người gửi thử lại sau. Không có gì bị mất: máy chủ email của họ sẽ gửi lại trong vài ngày. Nếu đây là thư rác hàng loạt, hãy chặn người gửi ở nhà cung cấp email của bạn.',
  mail_quota_button: 'Mở trang tình trạng',
  billing_button: 'Mở trang thanh toán',
  you: 'Bạn',
  attached: 'Tệp: {filename}',
  file: '(một tệp)',
}

/** A text in a language, with its placeholders filled in. */
export function translate(language: 'en' | 'vi', word: Word, values: Record<string, string | number> = {}): string {
  return (language === 'vi' ? vi : en)[word].replace(/\{(\w+)\}/g, (_match, key: string) => {
    const value = String(values[key] ?? '')
    return NAMES.includes(key) ? withoutLinks(value) : value
  })
}

/** Placeholders for what people and companies call themselves. */
const NAMES = ['name', 'company', 'customer']
