/** Common column names in the languages of our users; spelling, case and accents do not matter. */

export type KnownColumn =
  | 'phone'
  | 'name'
  | 'first_name'
  | 'last_name'
  | 'tags'
  | 'notes'
  | 'stage'
  | 'ai_handling'
  | 'opted_out_at'
  | 'time_zone'

/** Letters and digits alone, without case and accents: `Téléphone (mobile)` is `telephonemobile`. */
export const plainName = (header: string): string =>
  header
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Best first: of two phone columns, the earlier name is the number that people chat with. */
const phone = `
  phone number, e164, whatsapp, whatsapp number, whatsapp phone, whatsapp phone number, wa number, número de whatsapp,
  numero whatsapp, nomor whatsapp, nomor wa, no wa,
  mobile, mobile number, mobile phone, mobile phone number, mobile no, cell, cell phone, cell number, cellphone number,
  handy, handynummer, mobil, mobilnummer, mobiltelefon, móvil, teléfono móvil, celular, número celular,
  número de celular, número de móvil, telefone celular, telemóvel, portable, mobile téléphone, téléphone portable,
  téléphone mobile, numéro de portable, cellulare, numero cellulare, numero di cellulare, mobiel, mobiele nummer,
  mobiel nummer, gsm, gsm nummer, cep telefonu, komórka, telefon komórkowy, no hp, nomor hp, hp,
  мобильный, мобильный телефон, сотовый, мобільний, جوال, رقم الجوال, موبايل, رقم الموبايل, נייד, טלפון נייד,
  मोबाइल, मोबाइल नंबर, 手机, 手机号, 手机号码, 手機, 手機號碼, 携帯, 携帯電話, 携帯番号, 携帯電話番号, 휴대폰, 휴대폰 번호,
  휴대전화, 휴대전화 번호, 핸드폰,
  phone, phone no, phone 1 value, phone 1, phones, telephone, telephone number, telephone no, tel, tel no, tel number,
  contact number, contact phone, contact no, contact phone number, primary phone, primary phone number, home phone,
  work phone, business phone, customer phone, customer phone number, msisdn,
  telefon, telefonnummer, telefon nr, tel nr, rufnummer, teléfono, número de teléfono, nº de teléfono, numero telefónico,
  telefone, número de telefone, fone, téléphone, numéro de téléphone, n° de téléphone, telefono, numero di telefono,
  telefoon, telefoonnummer, telefonnummer mobil, puhelin, puhelinnumero, telefon numarası, numer telefonu, nr telefonu,
  telefonní číslo, telefonszám, număr de telefon, τηλέφωνο, nomor telepon, telepon, no telepon, no telp, số điện thoại,
  điện thoại, sđt, телефон, номер телефона, номер телефону, الهاتف, هاتف, رقم الهاتف, טלפון, מספר טלפון, फोन, फ़ोन नंबर,
  电话, 电话号码, 電話, 電話號碼, 電話番号, 전화, 전화번호, เบอร์โทร, โทรศัพท์`

const name = `
  name, full name, display name, contact name, customer name, client name,
  nombre completo, nombre y apellido, nombre y apellidos, nome completo, nom complet, nom et prénom, vollständiger name,
  vor und nachname, nome e cognome, volledige naam, naam, ad soyad, adı soyadı, imię i nazwisko, nama,
  nama lengkap, họ tên, họ và tên, фио, полное имя, الاسم, الاسم الكامل, שם, שם מלא, नाम, पूरा नाम, 姓名, 名字, 氏名,
  お名前, 名前, 이름, 성명, ชื่อ`

const firstName = `
  first name, given name, forename, vorname, prénom, nombre, nombres, primer nombre, nome, primeiro nome,
  voornaam, adı, imię, nama depan, имя, ім'я, الاسم الأول, שם פרטי, 名`

const lastName = `
  last name, surname, family name, nachname, familienname, nom, nom de famille, apellido, apellidos, sobrenome,
  apelido, último nome, cognome, achternaam, soyad, soyadı, nazwisko, nama belakang, фамилия, прізвище, اسم العائلة,
  שם משפחה, 姓`

const tags = `
  tags, tag, labels, label, groups, group, segments, segment, etiquetas, etiqueta, marcadores, étiquettes, étiquette,
  libellés, schlagwörter, schlagworte, etichette, etichetta, etiketler, etykiety, grupos, gruppen, groupes, gruppi,
  теги, метки, мітки, الوسوم, תגיות, 标签, 標籤, タグ, 태그`

const notes = `
  notes, note, comments, comment, remarks, remark, notas, nota, observaciones, comentarios, comentario, observações,
  comentários, remarques, commentaires, commentaire, notizen, notiz, bemerkungen, bemerkung, anmerkungen, commenti,
  opmerkingen, notities, notlar, notatki, uwagi, catatan, ghi chú, заметки, примечание, примечания, комментарий,
  комментарии, примітки, ملاحظات, הערות, टिप्पणी, 备注, 備註, 備考, メモ, 비고, 메모`

// Few names for columns with few valid values: another column would make every row invalid.
const stage = 'stage, contact stage, lifecycle stage, lead stage'
const aiHandling = 'ai handling, handled by ai'
const optedOutAt = 'opted out at'
const timeZone = 'time zone'

const names: Record<KnownColumn, string> = {
  phone,
  name,
  first_name: firstName,
  last_name: lastName,
  tags,
  notes,
  stage,
  ai_handling: aiHandling,
  opted_out_at: optedOutAt,
  time_zone: timeZone,
}

/** Each known name with its meaning, and its rank among the names of that meaning. */
export const knownNames: ReadonlyMap<string, { column: KnownColumn; rank: number }> = new Map(
  Object.entries(names)
    .flatMap(([column, list]) =>
      list.split(',').map((each, rank) => [plainName(each), { column: column as KnownColumn, rank }] as const),
    )
    // The first meaning of a name counts.
    .reverse(),
)
