import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodingOf } from './encoding-detector.ts'

const western = {
  German: 'Müller Böhm Jürgen Schäfer Weiß Jäger Köhler Günther Björn Käthe Krüger Sören Groß Hübner Jörg Götz Bärbel',
  Spanish:
    'García Núñez Peña Muñoz José María Íñigo Ibáñez Begoña Ángel Zúñiga Argüello Castañeda Sofía Ordóñez Patiño',
  French:
    'René Hélène Chloë Zoë Noël François Benoît Thérèse Geneviève Raphaël Anaïs Loïc Jérôme Agnès Héloïse Gisèle Lefèvre Prévôt Lemaître Bâtard Brûlé Forêt Besançon',
  Portuguese:
    'João Conceição Simões Magalhães Guimarães Gonçalves Antônio Luís Camões Inês Brandão Estêvão Cândido Lúcia Mendonça Fernão',
  Nordic:
    'Sørensen Jørgensen Bjørn Øystein Åse Håkon Kjær Mæland Åström Sjöberg Märta Pål Bæk Ødegård Sæther Næss Hämäläinen Nørgaard Aasbø Røe',
}

const others: { language: string; encodings: string[]; names: string }[] = [
  {
    language: 'Polish',
    encodings: ['windows-1250', 'iso-8859-2'],
    names:
      'Wałęsa Kamiński Wójcik Łukasz Grażyna Święty Zięba Małgorzata Dąbrowski Jabłoński Wiśniewski Żak Paweł Stanisław Ćwik Gołąb Woźniak Górski',
  },
  {
    language: 'Czech',
    encodings: ['windows-1250', 'iso-8859-2'],
    names:
      'Dvořák Novotný Černý Procházka Němec Jiří Kateřina Růžička Šimek Žižka Tomáš Lukáš Beneš Kříž Říha Vaňková Zdeněk Hájek Kučera Vojtěch',
  },
  {
    language: 'Hungarian',
    encodings: ['windows-1250', 'iso-8859-2'],
    names:
      'Szőke Szűcs Erdős Nagy László Kovács Győző Gergő Jenő Ferenc Tóth Szabó Horváth Németh Gál István József Dezső Őry Fülöp Vörös Zsófia',
  },
  {
    language: 'Romanian',
    encodings: ['windows-1250', 'iso-8859-2'],
    names:
      'Călin Mădălina Cătălin Ştefan Ioniţă Niţă Brătianu Păun Mureşan Rădulescu Lăzărescu Mihăilă Tănase Bălan Vasîle Gâdea',
  },
  {
    language: 'Turkish',
    encodings: ['windows-1254'],
    names:
      'Yılmaz Ayşe Gülşen Doğan Çağlar Öztürk Kılıç Işık Şahin İbrahim Barış Aydın Uğur Oğuz Çelik Güneş Yıldız Özgür Erdoğan Koç',
  },
  {
    language: 'Lithuanian',
    encodings: ['windows-1257'],
    names:
      'Kazlauskienė Jonaitė Šimkus Žukauskas Jurgita Rūta Eglė Jūratė Žydrūnas Šarūnas Petrauskaitė Čepaitė Gražina Vytė Gintarė',
  },
  {
    language: 'Latvian',
    encodings: ['windows-1257'],
    names:
      'Bērziņš Kalniņš Ozoliņš Jānis Līga Pēteris Mārtiņš Krūmiņš Kārlis Žanis Šmits Zariņa Ēriks Ģirts Ilzīte Anna Liepiņa Guntārs',
  },
]

/** The same numbers in each run. */
function createRandom() {
  let state = 1
  return (below: number) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return Math.floor((state / 2 ** 32) * below)
  }
}

const listsOfSize = 24

function* contactLists(names: string, size: number): Generator<string> {
  const random = createRandom()
  const all = names.split(' ')
  for (let i = 0; i < listsOfSize; i++) {
    const rows = Array.from({ length: size }, () => `${all[random(all.length)]},+4930${random(1_000_000)}`)
    const list = `name,phone\n${rows.join('\n')}\n`
    yield i % 4 === 3 ? list.toUpperCase() : list
  }
}

/** Node decodes these encodings and does not write them. */
function encode(text: string, encoding: string): Buffer {
  const characters = new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))
  return Buffer.from(Array.from(text, (character) => characters.indexOf(character)))
}

function countRead(names: string, encoding: string, size: number): number {
  let read = 0
  for (const list of contactLists(names, size)) {
    const bytes = encode(list, encoding)
    if (new TextDecoder(encodingOf(bytes) ?? 'windows-1252').decode(bytes) === list) read++
  }
  return read
}

test('lists of Western names are read as windows-1252, however many languages they mix', () => {
  const mixed = Object.values(western).join(' ')
  for (const [language, names] of Object.entries({ ...western, mixed }))
    for (const size of [1, 5, 20, 200])
      assert.equal(countRead(names, 'windows-1252', size), listsOfSize, `${language}, ${size} names`)
})

test('single rows that were read as Central European or Baltic are Western', () => {
  for (const list of ['Müller,Böhm,René,Jürgen,Peña', 'García,Núñez,João', 'Chloë,Zoë,Noël'])
    assert.equal(encodingOf(Buffer.from(`${list}\n`, 'latin1')), 'windows-1252', list)
})

test('lists of names in other Latin encodings keep their letters; very short ones may be read as Western', () => {
  for (const { language, encodings, names } of others)
    for (const encoding of encodings)
      for (const [size, least] of [
        [5, 0.9],
        [20, 1],
      ] as const) {
        const read = countRead(names, encoding, size)
        assert.ok(read >= least * listsOfSize, `${language} in ${encoding}, ${size} names: ${read} of ${listsOfSize}`)
      }
})
