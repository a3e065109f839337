/**
 * Words with which people opt out of messages from a business, and back in. Only a whole message counts, never a word
 * inside a sentence; case, punctuation and emoji do not matter. Phrases with "promotions" are the labels of the
 * platform's own button on marketing templates.
 */
const stopWords = `
  stop, stop all, stopall, unsubscribe, cancel, end, quit, opt out, optout, remove me, stop promotions
  baja, parar, detener, salir, cancelar, darme de baja, no más mensajes, detener promociones
  sair, descadastrar, pare, parar promoções
  arrêt, arrêter, arreter, désabonner, desabonner, désinscription, arrêter les promotions
  stopp, abmelden, abbestellen, keine werbung, werbung stoppen
  annulla, cancellami, basta, disiscrivi, interrompi promozioni
  afmelden, uitschrijven, stoppen
  avsluta, avregistrera, afmeld, lopeta, avslutt
  wypisz, rezygnuję, odhlásit, leiratkozás, dezabonare
  стоп, отписаться, отписка, отмена, відписатися
  dur, durdur, iptal, çık, çik, ret
  توقف, إيقاف, ايقاف, الغاء, إلغاء, إلغاء الاشتراك, עצור, הסר, הסרה
  रोकें, बंद करें, বন্ধ করুন, நிறுத்து
  berhenti, batal, huỷ, hủy, dừng, หยุด, ยกเลิก
  停止, 退订, 退訂, 取消订阅, 取消訂閱, 配信停止, 解除, 수신거부, 거부, 그만`

const startWords = `
  start, unstop, resume, subscribe, opt in, optin, resume promotions
  alta, iniciar, reanudar, suscribir, comenzar, voltar, reiniciar, começar
  démarrer, demarrer, reprendre, s’abonner, commencer
  anmelden, starten, fortsetzen, inizia, riprendi, iscrivimi, aanmelden
  старт, подписаться, начать, почати, başla, başlat
  ابدأ, ابدا, اشتراك, התחל, शुरू करें, mulai, bắt đầu, เริ่ม
  开始, 開始, 订阅, 訂閱, 再開, 시작`

const spelled = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    // The Turkish İ leaves its dot behind.
    .replaceAll('\u0307', '')
    // Combining marks that change the letter (vowel signs, accents) stay; invisible characters and non-letters go.
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()

const words = new Map<string, 'stop' | 'start'>()
for (const [meaning, list] of [
  ['stop', stopWords],
  ['start', startWords],
] as const)
  for (const word of list.split(/[,\n]/)) if (word.trim()) words.set(spelled(word), meaning)

const longest = Math.max(...[...words.keys()].map((word) => word.length))

/** Whether the whole message opts out or in; undefined for anything else. */
export function consentIn(message: string): 'stop' | 'start' | undefined {
  // A long text is never an opt-out, so it is not examined.
  return message.length > longest * 4 ? undefined : words.get(spelled(message))
}
