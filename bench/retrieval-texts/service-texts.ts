import type { WrittenDocument } from './written-document.ts'

/** More documents of the same kind, from other trades. */
export const serviceTexts: WrittenDocument[] = [
  {
    fileName: 'car-insurance.txt',
    passages: [
      [
        'Comprehensive cover pays for hail, theft, glass and collisions with animals of any kind. It does not pay for parts that were worn out before, nor for races, not even on private ground.',
        'Is hitting a deer covered?',
      ],
      [
        'Claims are reported within seven days. Photographs of both vehicles and of the place, taken before anything is moved, speed things up more than any form.',
        'What is the deadline for notifying you about an accident?',
      ],
      [
        'The no-claims bonus is lost for three years after a fault of your own. For a small surcharge one accident in five years can be forgiven.',
        'Can I keep my discount in spite of a crash?',
      ],
      [
        'Drivers under twenty-three have to be named in the policy. A young driver who was not named raises the excess by one thousand euros.',
        'What happens if my nineteen-year-old daughter drives without being listed?',
      ],
      [
        'Windscreens are repaired at your door. A chip smaller than a coin is filled in half an hour without any excess, whereas a new pane costs one hundred and fifty.',
        'Do I pay anything for a small stone chip?',
      ],
      [
        'Abroad the green card is needed in eleven countries, among them Albania and Morocco. It is sent by post and should be ordered ten days ahead.',
        'Which document do I need for driving in Morocco?',
      ],
      [
        'Cars that stand still for winter can be taken off the road between two weeks and eighteen months. During that time fire and theft in a garage remain insured.',
        'Is my convertible protected while it is laid up over winter?',
      ],
      [
        'When a car is sold the contract passes to the buyer. Both of you may end it within a month; what was paid in advance is refunded by the day.',
        'What becomes of the policy when I sell the vehicle?',
      ],
    ],
  },
  {
    fileName: 'gym-membership.txt',
    passages: [
      [
        'The studio opens at five on weekdays and at eight on weekends. The last entry is half an hour before closing, the sauna is turned off an hour before.',
        'How early can I train on a Tuesday?',
      ],
      [
        'Memberships run for twelve months and then go on by the month. Pausing is possible for pregnancy, injuries with a certificate and stays abroad of more than four weeks.',
        'Can I freeze my contract when I broke my leg?',
      ],
      [
        'Lockers are emptied every night. What is found is kept at the desk for two weeks, then clothes go to charity and everything else to the lost property office.',
        'I forgot my shoes in the changing room last week. Where are they?',
      ],
      [
        'A first session with a trainer is included. The plan that comes out of it is renewed every three months; body composition is measured free of charge on the first Saturday.',
        'Is an introduction by a coach part of the price?',
      ],
      [
        'Guests pay twelve euros for the day and must be sixteen or older. Members of the platinum level may bring one guest a week without paying.',
        'What does a day pass cost for a friend?',
      ],
      [
        'Dropping weights is allowed on the wooden platform only. Chalk is fine there as well, liquid chalk everywhere.',
        'Where may I use magnesia powder?',
      ],
      [
        'Courses are booked in the app from seven days ahead. Whoever does not turn up three times in a month is barred from booking for two weeks.',
        'What is the penalty for skipping booked classes?',
      ],
      [
        'The pool is kept at twenty-seven degrees. On Wednesdays the outer lane belongs to the triathlon club until nine in the evening.',
        'How warm is the swimming water?',
      ],
    ],
  },
  {
    fileName: 'coffee-machine.txt',
    passages: [
      [
        'Descale when the drop lights up, or every two hundred cups in areas with hard water. Vinegar attacks the seals and voids the guarantee; use citric acid or the tablets from the box.',
        'May I clean the lime with vinegar?',
      ],
      [
        'If the grinder howls and nothing comes out there is a stone among the beans. Unplug, empty the hopper, take out the upper ring with a quarter turn and shake.',
        'The mill makes a terrible noise and produces no powder.',
      ],
      [
        'Milk foam collapses when the milk is warmer than five degrees at the start. Skimmed milk foams more, whole milk tastes rounder, oat drinks need the setting with the leaf.',
        'Why is my cappuccino froth so flat?',
      ],
      [
        'The brewing unit is rinsed once a week under warm water, without detergent, and left to dry overnight with the flap open. It must never go into the dishwasher.',
        'Can the brew group be washed in the dishwasher?',
      ],
      [
        'Error 8 means that the drip tray is missing or its contact is wet. Wipe the two metal dots on the left and push the tray in until it clicks.',
        'How do I get rid of error 8?',
      ],
      [
        'Strength is chosen with the wheel, temperature in the menu under Taste. For light roasts a notch hotter and a finer grind bring out the fruit.',
        'Which settings suit beans that were roasted lightly?',
      ],
      [
        'The guarantee lasts two years or fifteen thousand cups, whichever comes first. The counter is shown when both arrows are held down while switching on.',
        'How do I see how many cups have been made?',
      ],
      [
        'Before a holiday empty the circuit: choose Steam out, place a bowl under the nozzle and wait for the beep. Water left behind turns stale within days and can burst the boiler in frost.',
        'What should be done with the appliance before being away for weeks?',
      ],
    ],
  },
  {
    fileName: 'city-library.txt',
    passages: [
      [
        'Books are lent for four weeks, films and games for one. Everything can be renewed twice unless somebody has put a hold on it.',
        'For how long can I keep a DVD?',
      ],
      [
        'Late items cost twenty cents a day and at most eight euros each. Children pay nothing; they are asked to read a page to the librarian in return.',
        'What is the highest fine for an overdue novel?',
      ],
      [
        'A card is free up to eighteen and costs twenty-four euros a year afterwards. Bring an identity card and something that proves your address.',
        'What do I have to show in order to register?',
      ],
      [
        'The maker space has two 3D printers, a laser cutter and sewing machines. An introduction is compulsory for the laser, the rest can be reserved straight away.',
        'Which device needs a course before I can use it?',
      ],
      [
        'E-books return themselves on the last day. If the app keeps showing an expired loan, sign out and in again on the reader.',
        'An electronic book is still displayed after its time, what can I do?',
      ],
      [
        'Reading rooms on the third floor are quiet: no calls, no group work. Groups find tables in the winter garden, which can be booked for two hours.',
        'Where can five of us work on a project together?',
      ],
      [
        'Old newspapers from 1848 on are on microfilm in the cellar. Since the films are fragile, a member of staff threads them in.',
        'Are historical papers available?',
      ],
      [
        'Whoever loses a book buys a copy or pays the price plus five euros for foil and label. Water damage counts as lost, a dog-ear does not.',
        'My book fell into the bathtub. What does that mean?',
      ],
    ],
  },
  {
    fileName: 'solar-installation.txt',
    passages: [
      [
        'A roof facing south with a slope of thirty degrees yields most, but east and west together spread the harvest over the day and often save more money. North only makes sense when flat.',
        'Is it worth putting panels on an east-west roof?',
      ],
      [
        'The inverter belongs in a cool, dry place and hums like a refrigerator. Keep it away from bedrooms and leave twenty centimetres above it for the air.',
        'Where should the converter be mounted?',
      ],
      [
        'Storage pays off if more than half of the power is used after sunset. As a rule of thumb take one kilowatt hour of battery for each thousand used in a year.',
        'How large should my battery be?',
      ],
      [
        'The grid operator has to be told eight weeks before the work begins. We file the papers; you sign the power of attorney that comes with the offer.',
        'Who informs the network company, and when?',
      ],
      [
        'Snow slides off glass more suddenly than off tiles. Above entrances a guard rail is required, which costs about forty euros a metre.',
        'Do I need something against avalanches from the roof over the door?',
      ],
      [
        'Panels lose half a percent a year. After twenty-five years the maker guarantees eighty-five percent of the power on the data sheet.',
        'How much output is left after a quarter of a century?',
      ],
      [
        'Cleaning is needed only where bird droppings or the dust of a field stay for months. Use rainwater and a soft brush in the morning, since cold water on hot glass may crack it.',
        'Should I wash the modules at noon in summer?',
      ],
      [
        'In case of fire the switch beside the meter takes the voltage off the strings. Tell the fire brigade about the system before they ask; a sign at the door is compulsory.',
        'How is the installation shut down in an emergency?',
      ],
    ],
  },
  {
    fileName: 'night-train.txt',
    passages: [
      [
        'The sleeper leaves Vienna at 19:42 and reaches Hamburg at 8:10. Boarding starts half an hour before; the doors of the sleeping cars are locked from eleven until six.',
        'When does the overnight train arrive in Hamburg?',
      ],
      [
        'A private compartment for two has a wash basin, a shower is at the end of the car. Towels are on the bed; the water is not for drinking.',
        'Is there a shower on board?',
      ],
      [
        'Bicycles travel in the first car against nine euros and a reservation. Tandems and cargo bikes are too long for the hooks and have to stay at home.',
        'Can I take my cargo bike along?',
      ],
      [
        'Breakfast is ordered the evening before on the paper card: six items from the list are included. Coffee is brought half an hour before your stop.',
        'How do I choose what I get in the morning?',
      ],
      [
        'If the train is more than an hour late a quarter of the fare is paid back, from two hours on half of it. The form is handed out by the conductor.',
        'What compensation is there for ninety minutes of delay?',
      ],
      [
        'Children under six share a bed with a grown-up for nothing. From six to fourteen they pay half and get a bed of their own.',
        'Does my four-year-old need a ticket?',
      ],
      [
        'Passports are collected by the attendant on routes that leave the Schengen area, so that nobody is woken at the border.',
        'Why does the staff keep my passport?',
      ],
      [
        'Small dogs ride in a carrier free of charge. Larger ones only in compartments that are booked as a whole, with a muzzle in the corridor.',
        'Under what condition may a big dog come along?',
      ],
    ],
  },
  {
    fileName: 'beehive-care.txt',
    passages: [
      [
        'Varroa mites are treated after the last honey was taken, in August, with formic acid, and a second time around the turn of the year with oxalic acid when there is no brood.',
        'When is the winter treatment against mites done?',
      ],
      [
        'A colony that is about to swarm builds cells like peanuts at the edge of the comb. Take the old queen with two frames to another box, and the urge is gone.',
        'How do I prevent the bees from leaving?',
      ],
      [
        'Honey is ripe when a full frame held flat does not drip after a jolt. More than eighteen percent of water and it will ferment in the jar.',
        'How can I tell that it is time to harvest?',
      ],
      [
        'Smoke calms because the insects fill their stomachs for flight. Two puffs at the entrance are enough; too much makes them run.',
        'Why does a smoker make them peaceful?',
      ],
      [
        'Feed fifteen kilos of sugar syrup a colony by mid September. Later on they can no longer turn it into stores before it gets cold.',
        'Until when and how much should I feed for winter?',
      ],
      [
        'Foul brood smells of glue and pulls threads on a match. It has to be reported to the veterinary office at once, and nothing may leave the apiary.',
        'Which disease must be notified to the authorities?',
      ],
      [
        'Hives stand best with their entrances to the southeast, a hand above the ground, with water within two hundred metres and no path in their line of flight.',
        'Where in the garden should I place a hive?',
      ],
      [
        'After a sting scrape the stinger off sideways with a nail. Pulling it with two fingers squeezes more poison into the skin.',
        'What is the right way to remove a stinger?',
      ],
    ],
  },
  {
    fileName: 'online-banking.txt',
    passages: [
      [
        'Transfers up to thirty euros go through without a second factor, five times in a row at most. The sixth asks for the app again.',
        'Why was I suddenly asked to confirm a small payment?',
      ],
      [
        'A stolen card is blocked around the clock at the number 116 116 or with one tap in the app. Payments by phone keep working, since they carry a number of their own.',
        'My wallet is gone. How do I lock the card?',
      ],
      [
        'Standing orders that fall on a Sunday are carried out on the Monday after. For rent it is safer to choose the first working day in the settings.',
        'What happens to a recurring transfer on a weekend?',
      ],
      [
        'Foreign currency withdrawals cost 1.75 percent. Decline when a machine offers to charge you in your own currency: its rate is always worse.',
        'Should I accept conversion at a foreign cash machine?',
      ],
      [
        'Joint accounts need both signatures to be opened and to be closed, but either holder may dispose of the whole balance alone.',
        'Can my wife spend everything on our common account without me?',
      ],
      [
        'A direct debit can be returned within eight weeks without giving a reason, and within thirteen months if you never allowed it.',
        'For how long can I undo a debit that I had not authorised?',
      ],
      [
        'The daily limit is raised for twenty-four hours under Cards, Limits. For cash at the counter two days of notice are needed above ten thousand.',
        'I want to withdraw a large sum at the branch. Must I announce it?',
      ],
      [
        'We never ask for a code on the phone. Whoever does is a fraud: hang up, change the password and forward the message to phishing desk.',
        'Somebody called and wanted my TAN. What should I do?',
      ],
    ],
  },
]
