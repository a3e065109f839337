import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectLanguage } from './detect-language.ts'

const samples = {
  english:
    'Customers may return any item within thirty days of purchase. The refund is paid to the card that was used, and shipping costs are not refunded.',
  german:
    'Kunden können jeden Artikel innerhalb von dreißig Tagen nach dem Kauf zurückgeben. Die Erstattung erfolgt auf die Karte, mit der bezahlt wurde.',
  french:
    'Les clients peuvent retourner tout article dans les trente jours suivant leur achat. Le remboursement est effectué sur la carte utilisée pour le paiement.',
  spanish:
    'Los clientes pueden devolver cualquier artículo en un plazo de treinta días. El reembolso se realiza en la tarjeta que se utilizó para el pago.',
  portuguese:
    'Os clientes podem devolver qualquer artigo no prazo de trinta dias. O reembolso é feito no cartão que foi utilizado para o pagamento, não em dinheiro.',
  italian:
    'I clienti possono restituire qualsiasi articolo entro trenta giorni. Il rimborso viene effettuato sulla carta che è stata utilizzata per il pagamento.',
  dutch:
    'Klanten kunnen elk artikel binnen dertig dagen na aankoop terugsturen. De terugbetaling gebeurt op de kaart waarmee betaald is, en de verzendkosten worden niet vergoed.',
  danish:
    'Kunder kan returnere enhver vare inden for tredive dage efter købet. Pengene bliver sat ind på det kort, der blev brugt, og det er ikke muligt at få fragten refunderet.',
  norwegian:
    'Kunder kan returnere alle varer innen tretti dager etter kjøpet. Pengene blir satt inn på kortet som ble brukt, og det er ikke mulig å få frakten refundert av oss.',
  swedish:
    'Kunder kan lämna tillbaka varor inom trettio dagar efter köpet. Pengarna sätts in på det kort som användes och det är inte möjligt att få frakten återbetalad.',
  finnish:
    'Asiakkaat voivat palauttaa tuotteen kolmenkymmenen päivän kuluessa ostosta. Hyvitys maksetaan kortille, jota käytettiin, mutta toimituskuluja ei hyvitetä ja se on lopullinen.',
  hungarian:
    'A vásárlók a vásárlástól számított harminc napon belül visszaküldhetik a terméket. A visszatérítés arra a kártyára történik, amellyel a fizetés volt, és a szállítás díja nem jár vissza.',
  romanian:
    'Clienții pot returna orice articol în termen de treizeci de zile de la cumpărare. Rambursarea se face pe cardul cu care a fost efectuată plata și nu în numerar.',
  turkish:
    'Müşteriler ürünü satın aldıktan sonra otuz gün içinde iade edebilir. Geri ödeme kullanılan karta yapılır ve kargo ücreti için bir iade yoktur, bu kural her ürün için geçerlidir.',
  indonesian:
    'Pelanggan dapat mengembalikan barang dalam waktu tiga puluh hari. Uang akan dikembalikan ke kartu yang digunakan dan ongkos kirim tidak diganti oleh kami untuk barang ini.',
  catalan:
    'Els clients poden retornar qualsevol article en un termini de trenta dies. El reemborsament es fa a la targeta amb què es va pagar i les despeses no són retornades.',
  lithuanian:
    'Klientai gali grąžinti prekę per trisdešimt dienų nuo pirkimo. Pinigai grąžinami į kortelę, kuri buvo naudojama, ir tai yra taisyklė dėl visų prekių.',
  irish:
    'Is féidir le custaiméirí an earra a thabhairt ar ais. Tá an t-airgead ag dul ar an gcárta agus níl sé le fáil go fóill, ach tá sé sa siopa.',
  basque:
    'Bezeroek edozein produktu itzul dezakete hogeita hamar eguneko epean eta dirua txartelean sartuko da, baina ez dira bidalketa gastuak itzultzen eta hau da araua.',
  russian:
    'Покупатели могут вернуть любой товар в течение тридцати дней. Деньги возвращаются на карту, которая была использована.',
  serbian:
    'Купци могу вратити производ у року од тридесет дана. Новац се враћа на картицу која је коришћена за плаћање, што није мало.',
  greek: 'Οι πελάτες μπορούν να επιστρέψουν κάθε προϊόν εντός τριάντα ημερών.',
  arabic: 'يمكن للعملاء إرجاع أي منتج خلال ثلاثين يوما من الشراء',
  hindi: 'ग्राहक तीस दिनों में कोई भी वस्तु वापस कर सकते हैं। यह नियम सभी के लिए है।',
  nepali: 'ग्राहकले तीस दिन भित्र सामान फिर्ता गर्न सक्छन्। यो नियम सबैका लागि छ तथा मान्य रहेको छ।',
  tamil: 'வாடிக்கையாளர்கள் முப்பது நாட்களுக்குள் பொருளை திருப்பித் தரலாம்.',
  armenian: 'Հաճախորդները կարող են վերադարձնել ապրանքը երեսուն օրվա ընթացքում:',
  simple: 'お客様は三十日以内に商品を返品できます。',
}

for (const [language, text] of Object.entries(samples))
  test(`a few sentences are enough to tell: ${language}`, async () => {
    assert.equal(await detectLanguage(text), language)
  })

test('a list in Latin letters counts as English, in other scripts as their language if there is one', async () => {
  assert.equal(await detectLanguage('Widget A 10 EUR\nWidget B 12 EUR'), 'english')
  assert.equal(await detectLanguage('Çelik Öztürk Yılmaz, Mağaza 4'), 'turkish')
  assert.equal(
    await detectLanguage('Klienci mogą zwrócić towar w ciągu trzydziestu dni, gdy są niezadowoleni'),
    'simple',
  )
  assert.equal(await detectLanguage('12345'), 'english')
})

test('addresses do not change the language of a short text, and related languages are told apart', async () => {
  const contact = 'Tel. 030 1234, info@example.com, https://example.com/kontakt'
  assert.equal(await detectLanguage(`Время работы клиники: с 9 до 18. ${contact}`), 'russian')
  assert.equal(await detectLanguage(`ساعات العمل: كل يوم من التاسعة. ${contact}`), 'arabic')
  const french =
    'Réservé à la clientèle française: été 2026. Le retour est possible pendant quatorze jours. La livraison coûte 5 € à Paris. Où se trouve le reçu ? Ça dépend de l’achat. '
  assert.equal(await detectLanguage(french.repeat(40)), 'french')
})

test('names of another language do not change the language of a text', async () => {
  assert.equal(await detectLanguage('El Niño and La Niña are opposite phases of the same cycle.'), 'english')
  assert.equal(await detectLanguage('Ağrı and Iğdır are cities in the east of Turkey.'), 'english')
})

test('a title page in another language does not decide for the book', async () => {
  const title = 'Gesammelte Werke von der Familie und dem Verlag, mit einem Vorwort.'
  assert.equal(await detectLanguage(`${title}\n${samples.english.repeat(400)}`), 'english')
})

const short: Record<string, string[]> = {
  indonesian: [
    'Kebijakan pengembalian barang berlaku tiga puluh hari.',
    'Pengiriman gratis ke seluruh Indonesia.',
    'Jam buka: Senin sampai Jumat, pukul 9 pagi.',
    'Berapa lama pengiriman?',
    'Harga sudah termasuk sarapan.',
    'Kolam renang dibuka pukul tujuh pagi.',
    'Anak kecil gratis',
    'Pembayaran melalui transfer bank',
  ],
  german: [
    'Rückgabe innerhalb von 30 Tagen.',
    'Das Schwimmbad öffnet um sieben Uhr.',
    'Hunde sind willkommen',
    'Parken kostet neun Euro pro Tag.',
    'Kostenlose Lieferung ab 50 Euro',
  ],
  spanish: [
    'Devoluciones en treinta días.',
    'La piscina abre a las siete.',
    'El aparcamiento cuesta nueve euros al día.',
    'Envío gratis desde 50 euros',
  ],
  portuguese: [
    'Devoluções em trinta dias.',
    'A piscina abre às sete da manhã.',
    'O estacionamento custa nove euros por dia.',
    'Frete grátis acima de 50 reais',
  ],
  french: [
    'Retours sous trente jours.',
    'La piscine ouvre à sept heures.',
    'Le parking coûte neuf euros par jour.',
    'Livraison gratuite dès 50 euros',
  ],
  italian: [
    'La piscina apre alle sette.',
    'Il parcheggio costa nove euro al giorno.',
    'Spedizione gratuita da 50 euro',
  ],
  dutch: [
    'Het zwembad gaat om zeven uur open.',
    'Parkeren kost negen euro per dag.',
    'Gratis verzending vanaf 50 euro',
  ],
  english: [
    'The pool opens at seven.',
    'Free shipping over 50 dollars',
    'Returns within thirty days.',
    'Dogs welcome',
    'Opening hours Monday to Friday',
    'Terms of payment: net 30',
    'Permission pending, internal memo, different versions',
    'Breakfast buffet nine euros',
  ],
  turkish: ['Havuz sabah yedide açılıyor.', 'Otopark ücreti günlük dokuz euro'],
  swedish: ['Poolen öppnar klockan sju.', 'Parkering kostar nio euro per dag.'],
}

for (const [language, texts] of Object.entries(short))
  test(`a line is enough to tell: ${language}`, async () => {
    for (const text of texts) assert.equal(await detectLanguage(text), language, text)
  })
