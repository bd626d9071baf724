import { expect, test } from 'vitest'
import { recognizeLanguage } from './recognize.ts'

test.each([
  ['en', 'Can I return a lamp that I have not used?'],
  ['en', 'I have a problem with order 12345'],
  ['en', 'Can you send it to Ludwigstraße 5, 80333 München?'],
  ['de', 'Wo ist meine Bestellung?'],
  ['de', 'Guten Tag, die Lampe ist kaputt.'],
  ['fr', 'Bonjour, je voudrais rendre la lampe'],
  ['es', 'Hola, ¿dónde está mi pedido?'],
  ['pt', 'Olá, onde está o meu pedido?'],
  ['it', 'Dove è il mio ordine?'],
  ['nl', 'Waar is mijn bestelling?'],
  ['pl', 'Gdzie jest moje zamówienie?'],
  ['sv', 'Var är min beställning?'],
  ['fi', 'Missä tilaukseni on?'],
  ['hu', 'Hol van a rendelésem?'],
  ['tr', 'Siparişim nerede?'],
  ['id', 'Di mana pesanan saya?'],
  ['vi', 'Xin chào, tôi muốn trả lại đèn'],
  ['vi', 'Toi muon tra lai den'],
  ['ru', 'Где мой заказ?'],
  ['uk', 'Де моє замовлення?'],
  ['ar', 'شكرا لكم أين طلبي'],
  ['fa', 'سفارش من کجاست؟'],
  ['hi', 'मेरा ऑर्डर कहाँ है?'],
  ['th', 'คำสั่งซื้อของฉันอยู่ที่ไหน'],
  ['ko', '주문한 물건은 어디에 있나요?'],
  ['ja', '注文はどこですか'],
  ['zh', '你好，我的订单在哪里'],
])('the language of a text is recognised: %s, %s', (language, text) => {
  expect(recognizeLanguage(text)).toBe(language)
})

test.each([
  '',
  'ok',
  'Danke!',
  '👍',
  '4711',
  'AB-12345',
  'https://shop.example/der/die/das/und',
  'Ada Lovelace',
  'Kde je moje objednavka',
  'Wo ist meine Bestellung? Where is my order?',
])('a text that is short, mixed or no text has no language: %s', (text) => {
  expect(recognizeLanguage(text)).toBeNull()
})

test('only the beginning of a long text is looked at', () => {
  expect(recognizeLanguage(`Wo ist meine Bestellung? ${'x '.repeat(400)} ${'Where is my order? '.repeat(100)}`)).toBe(
    null,
  )
  expect(recognizeLanguage(`${'Wo ist meine Bestellung? '.repeat(40)} ${'Where is my order? '.repeat(1000)}`)).toBe(
    'de',
  )
})
