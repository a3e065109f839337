/**
 * Messages between customers and a practice: `<` is the customer, `>` the practice, `*` its agent; `!` is why the agent
 * handed off.
 */
export const conversations: string[][] = [
  [
    '< Hi, do you have anything free this week? I chipped a tooth.',
    '> Sorry to hear that. Does it hurt? Tomorrow at 8:30 is free.',
    '< Only when I drink something cold. 8:30 works.',
    '> You are booked, with Dr. Okafor. Please bring your insurance card.',
    '< Thank you so much',
  ],
  [
    '< What does a check-up cost without insurance?',
    '* A first check-up with X-rays is $120, a cleaning is $95. You can pay in two parts.',
    '< And for children?',
    '* For children under 12 the check-up is $60.',
    '< Great, I would like to bring both of mine.',
  ],
  [
    '< Can I move my appointment on Thursday to the week after?',
    '> Of course. Thursday at the same time, or would you like the morning?',
    '< Same time please',
    '> Done: Thursday at 16:00. You will get a reminder the day before.',
  ],
  ['< Hello? I have been waiting for the estimate since Monday', '< I need it for my insurance before Friday.'],
  [
    '< Is whitening safe if I have sensitive teeth?',
    '* It can be, with a gel that is weaker and takes longer. A dentist looks first whether it suits you.',
    '< How long does it last?',
    '* One to two years for most people, longer without coffee and tobacco.',
    '< ok thanks, I will think about it',
  ],
  [
    '< My night guard broke 😬',
    '> That happens. Did you keep the parts? We can often repair it.',
    '< Yes I have both halves',
    '> Bring them in any day before 17:00, you do not need an appointment.',
  ],
  ['< ¿Hablan español?', '> Sí, claro. ¿En qué podemos ayudarle?', '< Quisiera una cita para una limpieza, por favor.'],
  [
    '< The crown feels a bit high when I bite',
    '> That is easy to adjust and takes ten minutes. Today at 15:30?',
    '< See you then 👍',
  ],
  [
    '< Do you take Delta Dental?',
    '* Yes, we take Delta Dental PPO and Premier. Two cleanings a year are covered in most plans.',
    '< Perfect',
  ],
  ['< Where can I park?', '* There is a garage at 210 Alder Street; the first hour is free with our stamp.'],
  [
    '< I have to cancel tomorrow, my son is ill',
    '> Get well soon to him. Shall we look for a new date, or will you write when it suits you?',
    '< I will write next week',
  ],
  [
    '< I was charged twice for my cleaning',
    '* I am sorry about that. I cannot see payments, so I am getting a colleague.',
    '! Question about a payment',
    '> Hi, this is Olive. I see the second charge and have refunded it. It takes three to five days.',
    '< Thank you!',
  ],
  [
    '< Can I talk to a person please',
    '* I am getting a person for you.',
    '! Asked for a person',
    '> Hello, Olive here. How can I help?',
    '< I would rather explain it by phone',
    '> Of course. I am calling you in five minutes.',
  ],
  [
    '< My gum is still bleeding after the extraction yesterday',
    '* Please bite on clean gauze for 30 minutes. I am getting a colleague right away.',
    '! Medical question',
    '> Dr. Okafor can see you at 14:00 today. Please come in.',
    '< Thank you, I am on my way',
  ],
  ['< Could you send the payment plan again? I cannot find the e-mail'],
]

/** Those with a reply: a conversation is not closed before. */
export const answeredConversations = conversations.filter((lines) => lines.some((line) => /^[>*]/.test(line)))
