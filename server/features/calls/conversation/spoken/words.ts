/** How each language says what is written with signs. */
export interface SpokenWords {
  at: string
  /** Words before "at" that are part of a sentence and not a mailbox. */
  notMailboxes?: string
  dot: string
  dash: string
  underscore: string
  slash: string
  plus: string
  /** The digits from zero on. Alternatives are separated by a slash. */
  digits: string
  /** "double five"; empty where callers do not say it. */
  double: string
  triple: string
  /** A time of day on a clock of 24 hours. */
  time(hours: number, minutes: number): string
  /** Between the units and the hundredths of an amount of money. */
  cents: string
}

const twelve = (hours: number, minutes: number) => {
  const past = minutes === 0 ? '' : minutes < 10 ? ` oh ${minutes}` : ` ${minutes}`
  // `2:30` may be either half of the day.
  const half = hours === 0 ? ' A M' : hours > 12 ? ' P M' : ''
  return `${hours % 12 || 12}${past}${half}`
}

export const spokenWords: Record<string, SpokenWords> = {
  en: {
    at: 'at',
    notMailboxes:
      'i/me/you/he/him/she/her/it/we/us/they/them/this/that/these/those/one/ones/is/am/are/was/were/be/been/being/do/did/done/' +
      'have/has/had/go/goes/going/went/gone/get/gets/got/getting/look/looks/looked/looking/order/ordered/ordering/' +
      'buy/buys/buying/bought/find/finds/finding/found/see/sees/seeing/saw/seen/shopped/shopping/sold/paid/' +
      'work/works/worked/working/live/lived/stay/stayed/arrive/arrived/start/started/sign/signed/registered/' +
      'in/on/up/out/off/back/over/here/there/now/then/today/yesterday/online/only/just/also/even/right/still/not/and/or/but/' +
      'so/like/something/anything/everything/nothing/stuff/things/site/website/page',
    dot: 'dot',
    dash: 'dash',
    underscore: 'underscore',
    slash: 'slash',
    plus: 'plus',
    digits: 'zero/oh, one, two, three, four, five, six, seven, eight, nine',
    double: 'double',
    triple: 'triple',
    time: twelve,
    cents: ' ',
  },
  ar: {
    at: 'آت',
    dot: 'نقطة',
    dash: 'شرطة',
    underscore: 'شرطة سفلية',
    slash: 'شرطة مائلة',
    plus: 'زائد',
    digits: 'صفر, واحد, اثنان/اثنين, ثلاثة, أربعة, خمسة, ستة, سبعة, ثمانية, تسعة',
    double: '',
    triple: '',
    time: (hours, minutes) => (minutes === 0 ? `${hours} تمامًا` : `${hours} و ${minutes} دقيقة`),
    cents: ' و ',
  },
  de: {
    at: 'at',
    dot: 'Punkt',
    dash: 'Bindestrich',
    underscore: 'Unterstrich',
    slash: 'Schrägstrich',
    plus: 'plus',
    digits: 'null, eins/ein, zwei/zwo, drei, vier, fünf, sechs, sieben, acht, neun',
    double: 'doppel',
    triple: '',
    time: (hours, minutes) => `${hours} Uhr${minutes === 0 ? '' : ` ${minutes}`}`,
    cents: ' ',
  },
  es: {
    at: 'arroba',
    dot: 'punto',
    dash: 'guion/guión',
    underscore: 'guion bajo/guión bajo',
    slash: 'barra',
    plus: 'más',
    digits: 'cero, uno/un, dos, tres, cuatro, cinco, seis, siete, ocho, nueve',
    double: 'doble',
    triple: 'triple',
    time: (hours, minutes) => (minutes === 0 ? `${hours} en punto` : `${hours} y ${minutes}`),
    cents: ' con ',
  },
  fr: {
    at: 'arobase',
    dot: 'point',
    dash: 'tiret',
    underscore: 'tiret du bas',
    slash: 'barre oblique',
    plus: 'plus',
    digits: 'zéro, un, deux, trois, quatre, cinq, six, sept, huit, neuf',
    double: 'double',
    triple: 'triple',
    time: (hours, minutes) => `${hours} heure${hours > 1 ? 's' : ''}${minutes === 0 ? '' : ` ${minutes}`}`,
    cents: ' ',
  },
  hi: {
    at: 'ऐट/एट',
    dot: 'डॉट',
    dash: 'डैश',
    underscore: 'अंडरस्कोर',
    slash: 'स्लैश',
    plus: 'प्लस',
    digits: 'शून्य/ज़ीरो/जीरो, एक, दो, तीन, चार, पाँच/पांच, छह/छः, सात, आठ, नौ',
    double: 'डबल',
    triple: 'ट्रिपल',
    time: (hours, minutes) => (minutes === 0 ? `${hours} बजे` : `${hours} बजकर ${minutes} मिनट`),
    cents: ' ',
  },
  id: {
    at: 'at/et',
    dot: 'titik',
    dash: 'strip',
    underscore: 'garis bawah',
    slash: 'garis miring',
    plus: 'plus',
    digits: 'nol/kosong, satu, dua, tiga, empat, lima, enam, tujuh, delapan, sembilan',
    double: '',
    triple: '',
    time: (hours, minutes) => (minutes === 0 ? `${hours} tepat` : `${hours} lewat ${minutes}`),
    cents: ' ',
  },
  it: {
    at: 'chiocciola',
    dot: 'punto',
    dash: 'trattino',
    underscore: 'trattino basso',
    slash: 'barra',
    plus: 'più',
    digits: 'zero, uno/un, due, tre, quattro, cinque, sei, sette, otto, nove',
    double: 'doppio',
    triple: 'triplo',
    time: (hours, minutes) => (minutes === 0 ? `${hours} in punto` : `${hours} e ${minutes}`),
    cents: ' e ',
  },
  pt: {
    at: 'arroba',
    dot: 'ponto',
    dash: 'hífen/traço',
    underscore: 'sublinhado/underline',
    slash: 'barra',
    plus: 'mais',
    digits: 'zero, um, dois, três, quatro, cinco, seis/meia, sete, oito, nove',
    double: '',
    triple: '',
    time: (hours, minutes) => (minutes === 0 ? `${hours} hora${hours === 1 ? '' : 's'}` : `${hours} e ${minutes}`),
    cents: ' e ',
  },
}
