import type { en } from './en.ts'

export const vi: typeof en = {
  twilio: {
    text: 'Tin nhắn SMS gửi đến một số Twilio trở thành cuộc trò chuyện của hộp thư này.',
    failed: 'Không tải được kết nối',
    connect: 'Kết nối một số điện thoại',
    change: 'Thay đổi kết nối',
    tried: 'Số được kiểm tra tại Twilio trước khi lưu.',
    how: {
      console: 'Sao chép account SID và auth token từ trang đầu của bảng điều khiển Twilio, rồi nhập số của bạn.',
      in: 'Tin nhắn SMS mới, kèm hình ảnh, trở thành cuộc trò chuyện. Tin trả lời được thêm vào đúng cuộc trò chuyện.',
      out: 'Câu trả lời được gửi từ số đó, theo từng phần 1.600 ký tự. Lỗi gửi được hiển thị dưới tin nhắn.',
      stop: 'Khách hàng gửi STOP, hoặc từ tương tự trong nhiều ngôn ngữ, sẽ không nhận thêm tin nhắn cho đến khi gửi START; họ được đánh dấu. Câu có chứa từ như vậy sẽ kèm một ghi chú cho bạn.',
    },
    number: 'Số điện thoại',
    number_hint: 'Kèm mã quốc gia, như Twilio hiển thị.',
    sid: 'Account SID',
    token: 'Auth token',
    service: 'Messaging service SID (không bắt buộc)',
    service_hint:
      'Nếu các số của bạn dùng chung một messaging service: tin nhắn đến bất kỳ số nào cũng vào đây, và mỗi khách hàng được trả lời từ đúng số mà họ đã nhắn.',
    service_refusal: {
      unknown:
        'Tài khoản này không có messaging service đó. SID bắt đầu bằng MG, xem ở Messaging › Services trong bảng điều khiển Twilio.',
      without_number:
        'Số ở trên không nằm trong sender pool của messaging service này. Hãy thêm số đó trong bảng điều khiển Twilio.',
      too_large: 'Một messaging service có thể được kết nối với tối đa 50 số.',
      connected_elsewhere: 'Messaging service này đã được kết nối với một hộp thư khác. Hãy ngắt kết nối ở đó trước.',
    },
    stop_words: 'Thêm từ để hủy nhận tin (không bắt buộc)',
    stop_words_hint: 'Cách nhau bằng dấu phẩy, ví dụ từ mà quảng cáo của bạn nêu.',
    service_refused: 'Không dùng được dịch vụ nhắn tin ở trên.',
    webhook: 'Để Twilio gọi máy chủ này',
    webhook_hint:
      'Tin nhắn đến ngay lập tức; nếu không, Twilio được kiểm tra mỗi phút. Thao tác này thay đổi cài đặt của số tại Twilio.',
    invalid: 'Thông tin xác thực Twilio không hợp lệ. Vui lòng kiểm tra các mục ở trên và thử lại.',
    connected: 'Đã kết nối số.',
  },
}
