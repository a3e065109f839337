/** Names from many places, so that every screen meets accents, long names and other scripts. */
export const firstNames = [
  'Ada', 'Amara', 'Aisha', 'Akira', 'Alejandro', 'Anneke', 'Beatriz', 'Bilal', 'Björn', 'Camila', 'Chen', 'Chiara',
  'Daniel', 'Deepa', 'Elif', 'Emeka', 'Fatima', 'Felix', 'Freya', 'Giulia', 'Hana', 'Ibrahim', 'Ingrid', 'Iván',
  'Jamal', 'Joana', 'Kaito', 'Katarzyna', 'Kofi', 'Laila', 'Lars', 'Leïla', 'Liam', 'Lucía', 'Maja', 'Marek', 'Mei',
  'Miguel', 'Mina', 'Nadia', 'Noah', 'Nour', 'Olga', 'Omar', 'Paula', 'Priya', 'Rafael', 'Ravi', 'Sana', 'Sofia',
  'Søren', 'Tariq', 'Thandiwe', 'Tomás', 'Valentina', 'Wei', 'Yara', 'Yuki', 'Zanele', 'Zoë',
]

export const lastNames = [
  'Abebe', 'Andersson', 'Bianchi', 'Brown', 'Castillo', 'Chukwu', 'da Silva', 'Dimitriou', 'Dubois', 'El-Amin',
  'Fischer', 'García', 'Haddad', 'Hansen', 'Ivanova', 'Jansen', 'Kaya', 'Kim', 'Kowalska', 'Kumar', 'Lindqvist',
  'Lopes', 'Mbeki', 'Moreau', 'Müller', 'Nakamura', 'Nguyen', 'Novak', 'O’Brien', 'Okafor', 'Olsen', 'Patel',
  'Petrov', 'Quispe', 'Rossi', 'Saito', 'Schneider', 'Sharma', 'Tanaka', 'Torres', 'van Dijk', 'Vega', 'Wang',
  'Yılmaz', 'Zhou', 'Ødegaard',
]

export const cities = ['San Francisco', 'Oakland', 'Berkeley', 'Daly City', 'San Mateo', 'Alameda']

export const sources = ['Website', 'Referral', 'Walk-in', 'Instagram', 'Google', 'Insurance directory']

export const treatments = ['Check-up', 'Whitening', 'Implant', 'Braces', 'Root canal', 'Night guard', 'Veneers']

export const tags = ['newsletter', 'insurance', 'family', 'vip', 'recall-6m', 'price-sensitive', 'nervous', 'spanish']

export const notes = [
  'Asked what a first visit costs without insurance.',
  'Prefers mornings before nine; works shifts.',
  'Very nervous, last dentist was rough. Book a long slot and start with a talk.',
  'Wants whitening before a wedding in June.',
  'Insurance covers two cleanings a year; the first one is used.',
  'Called twice about the estimate, decides after payday.',
  'Moved here from Portland, records requested from the old practice.',
  'Brings both children; put the three appointments back to back.',
  'Did not show up on Tuesday, apologised by chat, wants a new date.',
  'Happy with the crown, agreed to leave a review.',
  'Only speaks Spanish on the phone, chat in English is fine.',
  'Asked for the payment plan in writing.',
]

export const taskTitles = [
  'Call back about the estimate',
  'Send the payment plan',
  'Request records from the old practice',
  'Confirm the long appointment',
  'Check insurance coverage',
  'Follow up after the implant',
  'Ask for a review',
  'Offer a new date after the no-show',
  'Send aftercare instructions',
  'Remind of the six-month check-up',
]
