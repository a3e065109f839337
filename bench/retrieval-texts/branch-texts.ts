/**
 * Houses of one invented hotel chain: the same text for each, with different figures. As in real manuals of this kind,
 * only the file's name and the top of the document say which house it is about.
 */
export const houses = [
  'Aurora Bergen',
  'Belvedere Trieste',
  'Castellan Prague',
  'Dunehouse Sylt',
  'Esplanade Porto',
  'Fjordblick Aalborg',
  'Gasthof Innsbruck',
  'Harbour Galway',
  'Imperial Krakow',
  'Jardin Lyon',
  'Kastanie Graz',
  'Lagoon Split',
]

/** Passages with `{0}`, `{1}` … for the figures of each house, and a question about the house. */
export const branchPassages: [text: string, question: string][] = [
  [
    'Check-in begins at {0} p.m. and the rooms have to be left by {1} a.m. Whoever wants to stay longer pays {2} euros for every hour, as long as the room is not needed.',
    'By when do guests of the {house} have to leave their room?',
  ],
  [
    'Breakfast is laid from half past six until {1} on weekdays. It costs {2} euros for those who have not booked it; children up to {0} eat for nothing.',
    'How much is breakfast at the {house} if it was not booked?',
  ],
  [
    'The garage below the house has {2} places and lets in cars up to two metres. Charging posts are in the back; a night costs {0} euros and cannot be reserved.',
    'What do I pay to park overnight at the {house}?',
  ],
  [
    'Towels for the sauna are handed out at the pool, which is open until {0} in the evening. The steam bath is closed for cleaning on every {1}th of the month.',
    'Until what time can I swim at the {house}?',
  ],
  [
    'Meeting rooms seat up to {2} people and are let by the half day. A projector and water are included, coffee is {0} euros a head.',
    'How many people fit into the conference room of the {house}?',
  ],
  [
    'Pets are allowed on the {1}th floor only. A dog costs {0} euros a night, a bowl and a blanket are put into the room on request.',
    'What is the charge for bringing a dog to the {house}?',
  ],
  [
    'A booking can be cancelled without costs until {1} days before arrival. After that the first night is charged, and with groups of more than {0} rooms all of them.',
    'How many days ahead can I cancel at the {house} for free?',
  ],
  [
    'The shuttle to the airport leaves every {2} minutes in front of the entrance and needs about half an hour. Seats are {0} euros and paid to the driver.',
    'How often does the bus to the airport run from the {house}?',
  ],
]
