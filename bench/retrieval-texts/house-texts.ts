import type { WrittenDocument } from './written-document.ts'

/** Documents of an invented company, written for this evaluation. Each passage has a question that it answers. */
export const houseTexts: WrittenDocument[] = [
  {
    fileName: 'returns-and-refunds.txt',
    passages: [
      [
        'Anything bought in our web shop can be sent back within thirty days of delivery. The clock starts on the day the parcel was handed over, not on the day of the order, and what counts is the date on the postal receipt.',
        'How long do I have to send something back that I ordered online?',
      ],
      [
        'Money goes back by the way it came. Card payments take five to seven working days to show up on a statement because the issuing bank has to book them; wallets are usually credited within an hour.',
        'When will I see the reimbursement on my credit card?',
      ],
      [
        'Swimwear, earrings and opened cosmetics are excluded for reasons of hygiene. We only take them back when the seal is unbroken or when the item arrived damaged.',
        'Can I return an opened lipstick?',
      ],
      [
        'A return label is printed on the back of the delivery note. If it got lost, log in, choose the order and press "Print label again"; the label is valid for ten days and covers one parcel of up to twenty kilos.',
        'I threw away the delivery note, how do I get a new label?',
      ],
      [
        'Gifts can be exchanged without the giver finding out. Enter the gift code from the card in the box; the value is then issued as a voucher in the name of the recipient.',
        'How can somebody swap a present discreetly?',
      ],
      [
        'Customers outside the European Union pay for the way back themselves and have to mark the customs form with "returned goods", otherwise duty is charged a second time.',
        'What must be written on the customs paper from Switzerland?',
      ],
      [
        'Items on which a monogram was embroidered or which were cut to measure are made for one person. They cannot be returned unless the embroidery or the measurements differ from the confirmation.',
        'My shirt has initials on it and I changed my mind. Is a refund possible?',
      ],
      [
        'If only a part of a set is sent back, the discount for the set no longer applies. The refund is then the price of the set minus the regular price of the parts that were kept.',
        'What do I get back if I keep one piece of a discounted bundle?',
      ],
    ],
  },
  {
    fileName: 'warehouse-safety.txt',
    passages: [
      [
        'Nobody walks beneath raised forks, not even for a second. The yellow lines show where people may walk; forklifts have right of way inside the red zone and must sound the horn before every crossing.',
        'Who goes first in the red area, pedestrians or forklifts?',
      ],
      [
        'Racks are inspected every Monday before the first shift. Dents deeper than a thumbnail are marked with orange tape, the bay is emptied the same day, and the supplier is called.',
        'What happens with a damaged shelf upright?',
      ],
      [
        'Lithium batteries that are swollen, hot or smell sweet go into the sand box by gate four, never into the bin for scrap metal. Afterwards the fire watch has to be informed for two hours.',
        'Where do I put a battery that has become bulgy?',
      ],
      [
        'Safety shoes of class S3 are paid for once a year up to ninety euros. Whoever forgets them can borrow a pair with steel caps from the gatehouse against a signature.',
        'I left my work boots at home, what now?',
      ],
      [
        'When the siren sounds three times the building is left through the nearest door without collecting belongings. The assembly point is the car park of the bakery across the street, where team leads count heads.',
        'Where do we meet after an evacuation?',
      ],
      [
        'Loads above fifteen kilos are lifted by two people or with the vacuum hoist. The hoist must not be used for sacks, since their paper tears under suction.',
        'Is the vacuum lifter suitable for bags of cement?',
      ],
      [
        'Splashes of caustic cleaner in the eye are rinsed for fifteen minutes with the bottle from the green cabinet. Only then is the ambulance called; the data sheet travels along.',
        'A colleague got detergent in her eye. What is done first?',
      ],
      [
        'Headphones are forbidden on the floor, hearing protection is compulsory near the baler. Radios may play in the packing area as long as announcements can be understood.',
        'May I listen to music while packing?',
      ],
    ],
  },
  {
    fileName: 'employee-handbook.txt',
    passages: [
      [
        'The holiday year runs from April to March. Twenty-eight days are granted to everybody, one more after each three years of service, and up to five may be carried over until the end of June.',
        'How many unused vacation days can I take along into the next year?',
      ],
      [
        'Whoever falls ill phones the team lead before the shift begins. From the fourth day on a certificate is needed; it is sent as a photograph through the staff app and never by e-mail.',
        'After how long do I need a doctor’s note?',
      ],
      [
        'New fathers and mothers get six weeks off with full pay, to be taken in one piece or in weeks, within the first year of the child. Adoption counts in the same way.',
        'Is there paid leave for someone who adopts?',
      ],
      [
        'Expenses are handed in by the fifth of the following month. Receipts under ten euros need no original; taxi rides need a reason, because the night bus stops in front of both sites.',
        'Until when must I file my costs of last month?',
      ],
      [
        'Notice during probation is two weeks, afterwards three months to the end of a quarter. Resignations must be on paper with a signature made by hand.',
        'Can I quit by sending an email?',
      ],
      [
        'Each year everybody may spend eight hundred euros on courses of their own choice. What is left over expires, and a course that ends within six months before leaving has to be paid back.',
        'What is the training budget per person?',
      ],
      [
        'Dogs are welcome on Fridays in the office on the second floor, provided that the neighbours at the desk agree and that vaccinations are up to date. The warehouse is no place for animals.',
        'On which day may pets come along?',
      ],
      [
        'Overtime is collected in an account and taken as time off. Above forty hours it is paid out with a surcharge of a quarter at the end of the month.',
        'What happens once my account of extra hours is above forty?',
      ],
    ],
  },
  {
    fileName: 'router-manual.txt',
    passages: [
      [
        'After switching on, the ring glows white and turns blue as soon as a connection to the exchange exists. A slowly blinking amber ring means that the line is there but the password is wrong.',
        'What does a flashing orange light mean?',
      ],
      [
        'To set the device back to the state of delivery, press a paper clip into the hole beside the antenna for twelve seconds. All settings, including the names of the networks, are lost.',
        'How do I do a factory reset?',
      ],
      [
        'Guests get a network of their own that sees neither printers nor drives. It is switched on in the app under People and switches itself off after the number of hours given there.',
        'Can visitors use the wifi without reaching my files?',
      ],
      [
        'Up to three repeaters can be added. Place each where the app still shows two bars; a repeater in a dead spot only repeats silence.',
        'Where should an extender be put?',
      ],
      [
        'Updates are installed at four in the morning. While the ring pulses violet the plug must stay in the socket: an update that is cut off leaves the device unable to start.',
        'Why must I not unplug it when it shines purple?',
      ],
      [
        'Telephones with a round plug go into socket A, fax machines into socket B. Doorphones need the adapter with the grey cable, which is sold separately.',
        'How is an intercom connected?',
      ],
      [
        'Children’s devices can be limited to hours of the day. Homework pages stay reachable outside of these hours if they are put on the list of exceptions.',
        'How can I stop the kids from surfing at night but allow school sites?',
      ],
      [
        'If pages load slowly in the evening, change the channel from automatic to 36. In apartment buildings the lower band is often crowded, and the upper one reaches less far but is quiet.',
        'The internet is sluggish after dinner in my block of flats. What helps?',
      ],
    ],
  },
  {
    fileName: 'dental-practice.txt',
    passages: [
      [
        'After a tooth was pulled nothing hot is drunk and nobody smokes until the next morning. A folded handkerchief to bite on for half an hour stops the bleeding better than rinsing does.',
        'May I have coffee right after an extraction?',
      ],
      [
        'Appointments can be moved free of charge until noon of the day before. Later than that forty euros are billed, unless there is a certificate.',
        'What does it cost to cancel at short notice?',
      ],
      [
        'Children see the dentist alone from the age of seven if they wish. Parents wait next door behind the window, which has turned out to calm both sides.',
        'From what age can my son go in without me?',
      ],
      [
        'Laughing gas is offered on Tuesdays and Thursdays. Two hours before there must be no meal, and somebody has to come along for the way home of minors.',
        'When is nitrous oxide sedation available?',
      ],
      [
        'Whitening trays are worn at night for a fortnight. Sensitivity to cold in the first days is common and passes; pain in a single tooth is not and should be looked at.',
        'My teeth hurt with ice water since bleaching, is that normal?',
      ],
      [
        'In an emergency outside of our hours the answering machine names the colleague on duty. A tooth that was knocked out is kept in cold milk and survives for about an hour.',
        'How do I preserve a tooth that fell out in an accident?',
      ],
      [
        'The public insurer pays for one cleaning a year. A second one is worthwhile for smokers and for people with diabetes and costs eighty-five euros.',
        'How much is an additional prophylaxis session?',
      ],
      [
        'X-rays from other practices are welcome and spare you a second exposure. Send them as files through the portal; discs cannot be read here any more.',
        'Can I bring my old pictures on CD?',
      ],
    ],
  },
]
