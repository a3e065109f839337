/** Words by language that decide about turns. They are compared as `plainWords` of turn-rules.ts. */
interface TurnWords {
  /** Said to show attention, without wanting the turn. */
  backChannels: string[]
  /** Interrupt the agent at once. */
  stopWords: string[]
  /** No turn ends with one of these, even if the recognizer puts a full stop there. */
  openEndings: string[]
  /** A turn that ends with one of these continues if there is no full stop, and may continue if there is one. */
  maybeOpenEndings: string[]
}

const listed = (text: string): string[] => text.split(',').map((each) => each.trim())

/** Sounds and words that callers of all languages use. */
export const commonWords: TurnWords = {
  backChannels: listed('ok, okay, aha, ah, oh, eh, uh, huh, hm, wow, bravo'),
  stopWords: listed('stop'),
  openEndings: listed('um, umm, uh, uhm, er, erm'),
  maybeOpenEndings: [],
}

export const turnWords: Record<string, TurnWords> = {
  en: {
    backChannels: listed(
      'yeah, yes, yep, yup, right, sure, alright, all right, i see, got it, gotcha, really, great, good, nice, fine, cool, exactly, of course, understood, i understand, makes sense, that makes sense, thats right, interesting, true, absolutely, no way, perfect, very good, go on, i know',
    ),
    stopWords: listed(
      'wait, hold on, hang on, pause, one moment, just a moment, one second, just a second, excuse me, listen, be quiet, shut up, enough',
    ),
    openEndings: listed(
      'and, or, but, because, the, a, an, my, your, our, if, when i, my number is, my name is, my email is, my address is, number is, i want to, i would like to, id like to, i need to, i would like, id like',
    ),
    maybeOpenEndings: listed('so, to, of, for, with, is, are, was, at, from, in, on, that, which'),
  },
  ar: {
    backChannels: listed(
      'نعم, ايوه, أيوه, اي, أي, طيب, تمام, حسنا, صحيح, فهمت, مفهوم, والله, ماشي, جيد, ممتاز, أكيد, بالضبط, حقا',
    ),
    stopWords: listed('انتظر, انتظري, انتظروا, توقف, توقفي, قف, لحظة, دقيقة, لو سمحت, اسمع, اسمعي, كفى, عفوا'),
    openEndings: listed(
      'و, أو, لكن, ولكن, لأن, أن, إن, في, من, إلى, على, عن, مع, ثم, رقمي, رقمي هو, اسمي, اسمي هو, إذا, الذي, التي',
    ),
    maybeOpenEndings: listed('هو, هي'),
  },
  de: {
    backChannels: listed(
      'ja, jaja, genau, okay, gut, sehr gut, alles klar, klar, verstehe, ich verstehe, verstanden, richtig, stimmt, ach so, achso, ach, aha, echt, wirklich, schön, super, prima, natürlich, in ordnung, mhm, tatsächlich, jawohl, na gut',
    ),
    stopWords: listed(
      'stopp, halt stopp, warten sie, warte, moment, moment mal, einen moment, eine sekunde, sekunde, entschuldigung, hören sie, hör auf, aufhören, ruhe',
    ),
    openEndings: listed(
      'und, oder, aber, weil, dass, der, ein, eine, einen, einem, mein, meine, meinen, für, von, wenn, sondern, meine nummer ist, die nummer ist, mein name ist, ich heiße, ich möchte, ich hätte gern, äh, ähm',
    ),
    maybeOpenEndings: listed('die, das, mit, zu, an, auf, in, ist, also, denn, ob'),
  },
  es: {
    backChannels: listed(
      'sí, si, ya, claro, vale, bueno, bien, muy bien, de acuerdo, entiendo, ya veo, exacto, correcto, así es, ajá, aja, en serio, de verdad, perfecto, por supuesto, dale, okey, ándale, qué bien',
    ),
    stopWords: listed(
      'espere, espera, esperen, pare, deténgase, alto, basta, un momento, un segundo, un minuto, disculpe, perdone, perdón, oiga, escuche, silencio',
    ),
    openEndings: listed(
      'y, o, pero, porque, el, los, las, un, una, mi, su, de, del, con, para, por, en, al, a, cuando, mi número es, el número es, mi nombre es, me llamo, quiero, quisiera, este',
    ),
    maybeOpenEndings: listed('que, la, es, si, como'),
  },
  fr: {
    backChannels: listed(
      'oui, ouais, d’accord, daccord, bien, très bien, bien sûr, je vois, je comprends, compris, exact, exactement, ah bon, ah oui, c’est ça, vraiment, parfait, entendu, super, voilà, tout à fait, effectivement',
    ),
    stopWords: listed(
      'arrêtez, arrête, attendez, attends, un instant, un moment, une seconde, une minute, pardon, excusez-moi, écoutez, ça suffit, silence',
    ),
    openEndings: listed(
      'et, ou, mais, parce que, le, la, les, un, une, des, mon, ma, mes, de, du, à, avec, pour, car, quand, mon numéro est, mon numéro c’est, le numéro est, mon nom est, je m’appelle, je voudrais, euh',
    ),
    maybeOpenEndings: listed('que, est, si, donc, c’est'),
  },
  hi: {
    backChannels: listed(
      'हाँ, हां, जी, जी हाँ, जी हां, हाँ जी, हां जी, हम्म, अच्छा, ठीक, ठीक है, सही, सही है, समझ गया, समझ गई, समझा, बिल्कुल, सच में, अरे वाह, वाह, haan, han, ji, accha, acha, theek hai, thik hai',
    ),
    stopWords: listed(
      'रुकिए, रुको, रुकें, रुकिये, ठहरिए, एक मिनट, एक सेकंड, सुनिए, सुनो, बंद करो, बंद कीजिए, बस कीजिए, ruko, rukiye, ek minute, suniye',
    ),
    openEndings: listed(
      'और, या, लेकिन, मगर, क्योंकि, कि, मेरा, मेरी, मेरे, का, की, के, को, से, में, अगर, मेरा नंबर, मेरा नंबर है, मेरा नाम, मेरा नाम है',
    ),
    maybeOpenEndings: listed('पर, तो, है'),
  },
  id: {
    backChannels: listed(
      'ya, iya, yah, oke, baik, baiklah, betul, benar, siap, oh begitu, begitu, gitu, paham, saya paham, mengerti, saya mengerti, masa, oh ya, tentu, bagus, sip',
    ),
    stopWords: listed('berhenti, tunggu, sebentar, tunggu sebentar, permisi, maaf, cukup, diam, dengar'),
    openEndings: listed(
      'dan, atau, tapi, tetapi, karena, yang, di, ke, dari, dengan, untuk, kalau, jika, bahwa, adalah, nomor saya, nomornya, nama saya, saya mau, saya ingin',
    ),
    maybeOpenEndings: listed('jadi, soalnya, terus'),
  },
  it: {
    backChannels: listed(
      'sì, si, certo, va bene, bene, molto bene, d’accordo, daccordo, capisco, ho capito, capito, esatto, giusto, ah sì, davvero, perfetto, ottimo, okey, già, ecco',
    ),
    stopWords: listed(
      'basta, aspetti, aspetta, si fermi, fermo, un momento, un attimo, un secondo, scusi, mi scusi, ascolti, silenzio',
    ),
    openEndings: listed(
      'e, o, ma, il, lo, i, gli, un, una, uno, mio, mia, di, del, della, con, per, da, in, quando, il mio numero è, il numero è, il mio nome è, mi chiamo, vorrei',
    ),
    maybeOpenEndings: listed('che, la, le, è, se, a, perché'),
  },
  nl: {
    backChannels: listed(
      'ja, jazeker, oké, goed, prima, precies, klopt, ik snap het, ik begrijp het, begrepen, natuurlijk, echt, ach zo, mooi',
    ),
    stopWords: listed('wacht, wacht even, stoppen, een moment, momentje, sorry, luister, genoeg'),
    openEndings: listed(
      'en, of, maar, omdat, de, het, een, mijn, voor, van, als, mijn nummer is, mijn naam is, ik wil, uh, eh',
    ),
    maybeOpenEndings: listed('dat, met, naar, is, dus'),
  },
  pt: {
    backChannels: listed(
      'sim, é, tá, tá bom, tá bem, está bem, certo, claro, isso, isso mesmo, entendi, entendo, compreendo, pois, pois é, pois não, exato, exatamente, sério, verdade, beleza, perfeito, ótimo, bom, muito bem, ok, legal, aham, uhum',
    ),
    stopWords: listed(
      'espere, espera, pare, pera, aguarde, um momento, um minuto, um segundo, só um momento, com licença, escute, chega, basta, silêncio',
    ),
    openEndings: listed(
      'e, ou, mas, porque, o, os, as, um, uma, meu, minha, de, do, da, com, para, por, em, na, quando, meu número é, o número é, o meu número é, meu nome é, me chamo, eu quero, eu queria',
    ),
    maybeOpenEndings: listed('que, a, é, no, se, então'),
  },
}
