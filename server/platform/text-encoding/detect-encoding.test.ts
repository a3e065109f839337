import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectEncoding, detectSevenBit } from './detect-encoding.ts'
import { encodingOf } from './encoding-detector.ts'

/** A sentence or a short list each, and its bytes in Base64: Node decodes these encodings and writes none of them. */
const sentences: { text: string; bytes: Record<string, string> }[] = [
  {
    text: 'Здравствуйте.',
    bytes: {
      'windows-1251': 'x+Tw4OLx8uLz6fLlLg==',
      'koi8-r': '+sTSwdfT1NfVytTFLg==',
      'iso-8859-5': 't9Tg0NLh4tLj2eLVLg==',
      ibm866: 'h6TgoKLh4qLjqeKlLg==',
    },
  },
  {
    text: 'Доброго дня.',
    bytes: {
      'windows-1251': 'xO7h8O7j7iDk7f8u',
    },
  },
  {
    text: 'Το κατάστημά μας είναι ανοιχτό από τις εννέα το πρωί έως τις οκτώ το βράδυ.',
    bytes: {
      'windows-1253':
        '1O8g6uH03PP05+zcIOzh8iDl3+3h6SDh7e/p9/T8IOHw/CD06fIg5e3t3eEg9O8g8PH53yDd+fIg9OnyIO/q9P4g9O8g4vHc5PUu',
    },
  },
  {
    text: 'Mağazamız sabah dokuzdan akşam sekize kadar açıktır.',
    bytes: {
      'windows-1254': 'TWHwYXphbf16IHNhYmFoIGRva3V6ZGFuIGFr/mFtIHNla2l6ZSBrYWRhciBh5/1rdP1yLg==',
    },
  },
  {
    text: 'החנות שלנו פתוחה מתשע בבוקר עד שמונה בערב.',
    bytes: {
      'windows-1255': '5Ofw5fog+ezw5SD0+uXn5CDu+vnyIOHh5ff4IPLjIPnu5fDkIOHy+OEu',
    },
  },
  {
    text: 'متجرنا مفتوح من التاسعة صباحا حتى الثامنة مساء.',
    bytes: {
      'windows-1256': '48rM0eTHIOPdyubNIOPkIMfhysfT2skg1cjHzccgzcrsIMfhy8fj5Mkg49PHwS4=',
    },
  },
  {
    text: 'Nasz sklep jest czynny od dziewiątej rano do ósmej wieczorem.',
    bytes: {
      'windows-1250': 'TmFzeiBza2xlcCBqZXN0IGN6eW5ueSBvZCBkemlld2m5dGVqIHJhbm8gZG8g83NtZWogd2llY3pvcmVtLg==',
      'iso-8859-2': 'TmFzeiBza2xlcCBqZXN0IGN6eW5ueSBvZCBkemlld2mxdGVqIHJhbm8gZG8g83NtZWogd2llY3pvcmVtLg==',
    },
  },
  {
    text: 'Náš obchod je otevřen od devíti ráno do osmi večer.',
    bytes: {
      'windows-1250': 'TuGaIG9iY2hvZCBqZSBvdGV2+GVuIG9kIGRldu10aSBy4W5vIGRvIG9zbWkgdmXoZXIu',
    },
  },
  {
    text: 'Üzletünk reggel kilenctől este nyolcig tart nyitva.',
    bytes: {
      'iso-8859-2': '3HpsZXT8bmsgcmVnZ2VsIGtpbGVuY3T1bCBlc3RlIG55b2xjaWcgdGFydCBueWl0dmEu',
    },
  },
  {
    text: 'Mūsų parduotuvė dirba nuo devintos ryto iki aštuntos vakaro.',
    bytes: {
      'windows-1257': 'Tftz+CBwYXJkdW90dXbrIGRpcmJhIG51byBkZXZpbnRvcyByeXRvIGlraSBh8HR1bnRvcyB2YWthcm8u',
    },
  },
  {
    text: 'A nossa loja está aberta das nove da manhã às oito da noite.',
    bytes: {
      'windows-1252': 'QSBub3NzYSBsb2phIGVzdOEgYWJlcnRhIGRhcyBub3ZlIGRhIG1hbmjjIOBzIG9pdG8gZGEgbm9pdGUu',
    },
  },
  {
    text: 'ร้านของเราเปิดตั้งแต่เก้าโมงเช้าถึงสองทุ่ม สามารถคืนสินค้าได้ภายในสิบสี่วัน.',
    bytes: {
      'windows-874':
        'w+nSuaLNp+DD0uC71LS10emn4bXo4KHp0uLBp+Cq6dK21qfKzae32OjBIMrSwdLDtqTXucrUuaTp0uS06cDSwuO5ytS6ytXox9G5Lg==',
    },
  },
  {
    text: '当店の営業時間は午前九時から午後八時までです。商品は十四日以内であれば返品できます。お問い合わせはお電話でお願いします。.',
    bytes: {
      shift_jis:
        'k5aTWILMiWOLxo6eitSCzYzfkU+L446egqmC54zfjOOUqo6egtyCxYLFgreBQo+klWmCzY9cjmyT+ojIk+CCxYKgguqCzpXUlWmCxYKrgtyCt4FCgqiW4oKijYeC7YK5gs2CqJNkmGKCxYKoiuiCooK1gtyCt4FCLg==',
      'euc-jp':
        'xfbFuaTOscS2yLv+tNakz7jhwbC25bv+pKuk6bjhuOXIrLv+pN6kx6THpLmho76mycqkz729u83G/LDKxuKkx6SipOyk0MrWycqkx6StpN6kuaGjpKrM5KSkueek76S7pM+kqsXFz8Okx6SqtOqkpKS3pN6kuaGjLg==',
      'iso-2022-jp':
        'GyRCRXZFOSROMUQ2SDt+NFYkTzhhQTA2ZTt+JCskaThhOGVILDt+JF4kRyRHJDkhIz4mSUokTz09O01GfDBKRmIkRyQiJGwkUEpWSUokRyQtJF4kOSEjJCpMZCQkOWckbyQ7JE8kKkVFT0MkRyQqNGokJCQ3JF4kOSEjGyhCLg==',
    },
  },
  {
    text: '我们的商店营业时间为上午九点至晚上八点。商品可以在十四天内退货。如有问题，请联系客服。.',
    bytes: {
      gb18030:
        'ztLDx7XEycy16tOq0rXKsbzkzqrJz87nvsW149bBze3Jz7DLteOho8nMxre/ydLU1NrKrsvEzOzE2s3Lu/Who8jn09DOyszio6zH68Gqz7W/zbf+oaMu',
    },
  },
  {
    text: '我們的商店營業時間為上午九點至晚上八點。商品可以在十四天內退貨。如有問題，請聯絡客服。.',
    bytes: {
      big5: 'p9qtzKq6sNOpscDnt36uybahrLCkV6TIpEXCSabcsd+kV6RLwkmhQ7DTq36laaVIpmKkUaV8pNGkurBos2ahQ6ZwprOw3cNEoUG90MFwtbiryKpBoUMu',
    },
  },
  {
    text: '저희 매장은 오전 아홉 시부터 오후 여덟 시까지 영업합니다.',
    bytes: {
      'euc-kr': 'wPrI8SC4xcDlwLogv8DA/CC+xsipIL3Dus7FzSC/wMjEIL+ptPwgvcOx7sH2IL+1vvfH1bTPtNku',
    },
  },
  {
    text: 'Unser Geschäft ist montags bis samstags geöffnet; Rückgabe ist möglich.',
    bytes: {
      macintosh: 'VW5zZXIgR2VzY2iKZnQgaXN0IG1vbnRhZ3MgYmlzIHNhbXN0YWdzIGdlmmZmbmV0OyBSn2NrZ2FiZSBpc3QgbZpnbGljaC4=',
    },
  },
  {
    text: 'Les articles achetés sont livrés à domicile. Ça dépend du modèle.',
    bytes: {
      macintosh: 'TGVzIGFydGljbGVzIGFjaGV0jnMgc29udCBsaXZyjnMgiCBkb21pY2lsZS4ggmEgZI5wZW5kIGR1IG1vZI9sZS4=',
    },
  },
  {
    text: 'El envío cuesta cinco euros. ¿A qué hora abrirán mañana?',
    bytes: {
      macintosh: 'RWwgZW52km8gY3Vlc3RhIGNpbmNvIGV1cm9zLiDAQSBxdY4gaG9yYSBhYnJpcoduIG1hlmFuYT8=',
    },
  },
  {
    text: 'Здравствуйте! Я хочу вернуть товар, и я не знаю, как это делается.',
    bytes: {
      'x-mac-cyrillic': 'h+Tw4OLx8uLz6fLlISCfIPXu9/Mg4uXw7fPy/CDy7uLg8Cwg6CDfIO3lIOft4P4sIOrg6iD98u4g5OXr4OXy8d8u',
    },
  },
  {
    text: 'Korteriühistu kodukord kõigile elanikele.',
    bytes: {
      'windows-1257': 'S29ydGVyafxoaXN0dSBrb2R1a29yZCBr9WlnaWxlIGVsYW5pa2VsZS4=',
      'windows-1252': 'S29ydGVyafxoaXN0dSBrb2R1a29yZCBr9WlnaWxlIGVsYW5pa2VsZS4=',
    },
  },
  {
    text: 'Podmienky členstva vo fitnes klube.',
    bytes: {
      'windows-1250': 'UG9kbWllbmt5IOhsZW5zdHZhIHZvIGZpdG5lcyBrbHViZS4=',
    },
  },
  {
    text: 'Bērnu nometnes noteikumi vecākiem.',
    bytes: {
      'windows-1257': 'QudybnUgbm9tZXRuZXMgbm90ZWlrdW1pIHZlY+JraWVtLg==',
    },
  },
  {
    text: 'Ceník\nDámský střih\t650 Kč\nPánský střih\t350 Kč\nBarvení vlasů\t1200 Kč\nManikúra\t450 Kč',
    bytes: {
      'windows-1250':
        'Q2Vu7WsKROFtc2v9IHN0+GloCTY1MCBL6ApQ4W5za/0gc3T4aWgJMzUwIEvoCkJhcnZlbu0gdmxhc/kJMTIwMCBL6ApNYW5pa/pyYQk0NTAgS+g=',
    },
  },
  {
    text: 'Kas ma saan raha tagasi?\nJah, 14 päeva jooksul tšeki alusel.\nKui palju maksab saatmine?\nSaatmine maksab 4 eurot.',
    bytes: {
      'windows-1257':
        'S2FzIG1hIHNhYW4gcmFoYSB0YWdhc2k/CkphaCwgMTQgcORldmEgam9va3N1bCB08GVraSBhbHVzZWwuCkt1aSBwYWxqdSBtYWtzYWIgc2FhdG1pbmU/ClNhYXRtaW5lIG1ha3NhYiA0IGV1cm90Lg==',
    },
  },
  {
    text: 'Ar galiu grąžinti prekę?\nTaip, per 14 dienų nuo pirkimo.',
    bytes: {
      'windows-1257': 'QXIgZ2FsaXUgZ3Lg/mludGkgcHJla+Y/ClRhaXAsIHBlciAxNCBkaWVu+CBudW8gcGlya2ltby4=',
    },
  },
  {
    text: '机器运转时不要打开门，如果出现故障，请拨打墙上的服务电话。',
    bytes: {
      gb18030: 'u/rG99TL16rKsbK70qq08r+qw8WjrMjnufuz9s/WucrVz6Osx+uyprTyx73Jz7XEt/7O8bXnu7Chow==',
    },
  },
  {
    text: '飲み物の持ち込みは可能ですが、アルコール類はご遠慮ください。',
    bytes: {
      'euc-jp': 'sPuk38qqpM67/aTBuf6k36TPssTHvaTHpLmkrKGipaKl66Wzobyl687gpM+ktLHzzrikr6TApLWkpKGj',
    },
  },
  {
    text: '좌석은 입구의 화면에서 고르고, 외출할 때는 반드시 퇴실 버튼을 눌러 주세요.',
    bytes: {
      'euc-kr': 'wcK8rsC6IMDUsbjAxyDIrbjpv6G8rSCw7bijsO0sIL/cw+LH0iC2p7TCILndteW9wyDF8L3HILn2xrDAuyC0rbevIMHWvLy/5C4=',
    },
  },
  {
    text: 'ห้ามนำอาหารและเครื่องดื่มเข้ามาในบริเวณสระ',
    bytes: {
      'windows-874': 'y+nSwbnTzdLL0sPhxdDgpMPX6M2ntNfoweCi6dLB0uO5usPU4MezysPQ',
    },
  },
  {
    text: '毛巾 五元\n肥皂 三元\n牙刷 八元',
    bytes: {
      gb18030: 'w6u97SDO5dSqCrfK1O0gyP3UqgrRwMuiILDL1Ko=',
    },
  },
  {
    text: '單人房 300\n雙人房 450\n套房 900',
    bytes: {
      big5: 's+akSKnQIDMwMArC+aRIqdAgNDUwCq5NqdAgOTAw',
    },
  },
  {
    text: '駐車場 無料\n朝食 千円',
    bytes: {
      shift_jis: 'kpOO1I/qIJazl78KkqmQSCCQ54l+',
      'euc-jp': 'w/O81r7sIMy1zsEKxKu/qSDA6bHf',
    },
  },
  {
    text: '비빔밥 8000\n된장찌개 7000',
    bytes: {
      'euc-kr': 'uvG69rnkIDgwMDAKtcjA5cLusLMgNzAwMA==',
    },
  },
]

test('a sentence or a short list is read in the encoding in which it was written', () => {
  for (const { text, bytes } of sentences)
    for (const [encoding, base64] of Object.entries(bytes)) {
      const given = Buffer.from(base64, 'base64')
      const found = detectSevenBit(given) ?? detectEncoding(given)
      assert.equal(
        new TextDecoder(found).decode(Buffer.from(base64, 'base64')),
        text,
        `${encoding} was read as ${found}`,
      )
    }
})

test('UTF-16 without a byte order mark is found in every script', () => {
  for (const { text } of sentences) {
    const small = Buffer.from(`${text}\r\n`, 'utf16le')
    assert.equal(detectEncoding(small), 'utf-16le', text)
    assert.equal(detectEncoding(small.swap16()), 'utf-16be', text)
  }
})

test('a line of Chinese or Japanese in UTF-16 needs no zero byte to be found', () => {
  for (const text of [
    '营业时间：每天九点到六点。',
    '營業時間：每天九點到六點。',
    '営業時間は午前九時からです。',
    '商品は十四日以内に返品できます。',
  ]) {
    const small = Buffer.from(text, 'utf16le')
    assert.equal(detectEncoding(small), 'utf-16le', text)
    assert.equal(detectEncoding(small.swap16()), 'utf-16be', text)
  }
})

test('single words with one accent are Western', () => {
  for (const text of ['Café', 'José', 'Straße', 'GRÖSSE', '¿Qué?', 'Ångström', 'Universit\xe0 degli Studi'])
    assert.equal(detectEncoding(Buffer.from(text, 'latin1')), 'windows-1252', text)
})

test('short lists with no letters but those of ASCII have signs of windows-1252', () => {
  for (const text of [
    'Zimmer;Preis\r\nEinzel;80 \x80\r\nDoppel;120 \x80\r\nSuite;200 \x80\r\n',
    'Monday \x96 Friday 9\x9617\r\nSaturday 10\x9614\r\n',
    '20 \xb0C, 5 m\xb2 \x95 \x93Hello\x85\x94',
  ])
    assert.equal(encodingOf(Buffer.from(text, 'latin1')), 'windows-1252', text)
})

test('prices in euros and quotation marks do not turn Western text into another language', () => {
  for (const [text, encoding, base64] of [
    [
      'Tarifs\nCouleur : 60 €\nCoupe : 15 €\nBarbe : 12 €\nDéplacement : 25 €',
      'iso-8859-15',
      'VGFyaWZzCkNvdWxldXIgOiA2MCCkCkNvdXBlIDogMTUgpApCYXJiZSA6IDEyIKQKROlwbGFjZW1lbnQgOiAyNSCk',
    ],
    [
      'Preise\nFärben – 70 €\nSchnitt – 15 €\nWäsche – 8 €',
      'macintosh',
      'UHJlaXNlCkaKcmJlbiDQIDcwINsKU2Nobml0dCDQIDE1INsKV4pzY2hlINAgOCDb',
    ],
    [
      'Choisissez « Livraison » ou « Retrait » : les colis « lourds » sont livrés à part.',
      'windows-1252',
      'Q2hvaXNpc3NleiCrIExpdnJhaXNvbiC7IG91IKsgUmV0cmFpdCC7IDogbGVzIGNvbGlzIKsgbG91cmRzILsgc29udCBsaXZy6XMg4CBwYXJ0Lg==',
    ],
    [
      'Knappen «Bestill» er ikke støttet, og «Kart» viser øyene.',
      'windows-1252',
      'S25hcHBlbiCrQmVzdGlsbLsgZXIgaWtrZSBzdPh0dGV0LCBvZyCrS2FydLsgdmlzZXIg+HllbmUu',
    ],
  ] as const) {
    const bytes = Buffer.from(base64, 'base64')
    assert.equal(encodingOf(bytes), encoding)
    assert.equal(new TextDecoder(encoding).decode(bytes), text)
  }
})

test('letters that are katakana in another encoding, and katakana, are told apart', () => {
  for (const [text, encoding, base64] of [
    ['グループアイコン\nローカライゼーション', 'euc-jp', 'pbCl66G8pdeloqWkpbOl8wql7aG8paul6aWkpbyhvKW3peel8w=='],
    ['Перемещение', 'ibm866', 'j6Xgpayl6aWtqKU='],
    ['CATÉGORIE GÉNÉRALE\nTÉLÉVISION', 'macintosh', 'Q0FUg0dPUklFIEeDToNSQUxFClSDTINWSVNJT04='],
  ] as const) {
    const bytes = Buffer.from(base64, 'base64')
    assert.equal(encodingOf(bytes), encoding)
    assert.equal(new TextDecoder(encoding).decode(bytes), text)
  }
})

test('bytes that read like no language have no encoding', () => {
  const noise = Buffer.from(Array.from({ length: 3_000 }, (_, i) => 128 + ((i * 7_919) % 127)))
  assert.equal(detectEncoding(noise), undefined)
  assert.equal(detectEncoding(Buffer.from('\xa9 2024 Acme\xae', 'latin1')), undefined)
  // Quotation marks of windows-1252 are letters of Macs.
  assert.equal(detectEncoding(Buffer.from('\x93It\x92s \x80 5\x94, they\x92d say\x85', 'latin1')), undefined)
})
