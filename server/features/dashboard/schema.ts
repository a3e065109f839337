import Type from 'typebox'

const count = (description: string) => Type.Integer({ description })

export const Dashboard = Type.Object(
  {
    contacts: Type.Object({
      total: count('All contacts'),
      new: count('Contacts in this stage'),
      engaged: count('Contacts in this stage'),
      qualified: count('Contacts in this stage'),
      customers: count('Contacts in the stage `customer`'),
      lost: count('Contacts in this stage'),
    }),
    handling: Type.Object({
      ai: count('Contacts that the AI answers'),
      human: count('Contacts that people answer'),
    }),
    tasks: Type.Object({
      pending: count('Tasks still to be done'),
      overdue: count('Pending tasks that were due before now'),
    }),
  },
  { title: 'Dashboard' },
)
