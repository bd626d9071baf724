import type { Thread } from './thread.ts'

export const VIETNAMESE: readonly Thread[] = [
  {
    topic: 'delivery',
    lines: [
      'c Chào shop, đơn hàng {order} của mình bao giờ giao vậy ạ?',
      'a Chào {first}, đơn đang ở kho {cityVi}, dự kiến giao trong ngày mai ạ.',
      'c Dạ mình cảm ơn shop nhiều!',
    ],
  },
  {
    lines: [
      'c Shop ơi, {productVi} còn màu gỗ sồi không?',
      'a Dạ còn 3 cái ạ. Mình giữ lại cho {first} đến hết hôm nay nhé?',
      'c Ok shop giữ giúp mình một cái nha',
      'a Mình đã giữ rồi ạ, {first} đặt trên web là được.',
      'c Tuyệt vời 😍',
    ],
  },
  {
    topic: 'damaged',
    lines: [
      'c Mình nhận được đèn nhưng bóng bị vỡ, phải làm sao ạ?',
      'a Thành thật xin lỗi {first}. Bạn gửi giúp mình ảnh bóng đèn được không ạ?',
      'c [bulb.jpg] Đây ạ, vỡ ở phần cổ bóng.',
      'n Vỡ khi vận chuyển, gửi bóng mới miễn phí.',
      'a Shop gửi bóng mới cho bạn trong hôm nay, miễn phí ạ.',
      'c Cảm ơn shop, phục vụ tốt quá',
    ],
  },
  {
    topic: 'delivery',
    lines: [
      'c Cho mình hỏi phí giao hàng về Đà Nẵng là bao nhiêu?',
      'a Dạ đơn trên 500.000đ được miễn phí giao hàng toàn quốc ạ.',
      'c Vậy mình đặt luôn nha',
    ],
  },
  {
    topic: 'invoice',
    lines: [
      'c Mình muốn đổi sang hoá đơn công ty được không ạ?',
      'a Được ạ. Bạn cho mình xin tên công ty và mã số thuế nhé.',
      'c Công ty TNHH Ánh Dương, MST 0312345678',
      'a Hoá đơn đã được gửi vào email của bạn rồi ạ.',
    ],
  },
  {
    topic: 'payment',
    lines: [
      'c Ứng dụng báo lỗi khi mình thanh toán bằng thẻ, thử 3 lần rồi vẫn vậy',
      'a Bạn đang dùng điện thoại hay máy tính ạ?',
      'c điện thoại, trình duyệt Chrome',
      'a Bạn thử tắt chế độ ẩn danh giúp mình nhé, ngân hàng cần mở cửa sổ xác nhận.',
      'c Được rồi shop ơi, cảm ơn nhiều!',
    ],
  },
  {
    lines: [
      'c Shop có cửa hàng ở Hà Nội không? Mình muốn xem trực tiếp.',
      'a Dạ có, 27 Hàng Bông, mở cửa 9 giờ đến 21 giờ mỗi ngày ạ.',
      'c Cuối tuần này mình ghé nhé',
    ],
  },
]
