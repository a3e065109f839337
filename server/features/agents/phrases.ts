/** Somebody who writes or says this wants a person, not a better answer. */
const askingForPerson = [
  /\b(human|person|operator|representative|someone real)\s*,?\s*please\b/i,
  /^\W*(a |an |the |real |live )*(human|person|operator|representative|agent)\W*$/i,
  /\b(real|live|actual) (human|person|agent|operator)\b/i,
  /\b(speak|talk|chat|connect me|put me through|transfer me|pass me)\b[^.?!]{0,20}\b(to|with)\b[^.?!]{0,15}\b(human|person|someone|somebody|agent|representative|operator|colleague|manager|staff)\b/i,
  /\b(get|want|need|give) (me )?(a |an )(human|person|operator|representative)\b/i,
  /\b(hablar|comunicarme|conectarme) con (una persona|un humano|un agente|alguien)\b/i,
  /\b(falar|conversar) com (uma pessoa|um humano|um atendente|alguém)/i,
  /\b(mit )?(einem|einen|einer) (menschen|mitarbeiter|mitarbeiterin|person) (sprechen|reden|verbinden)\b/i,
  /\b(parler|discuter) (à|avec) (une personne|un humain|un conseiller|quelqu'un)\b/i,
  /\bparlare con (una persona|un operatore|qualcuno)\b/i,
]

export const wantsPerson = (heard: string): boolean =>
  heard.split('\n').some((line) => askingForPerson.some((pattern) => pattern.test(line)))

export const isGreeting = (heard: string): boolean =>
  /^\W*(hi|hello|hey|hola|hallo|good (morning|afternoon|evening))( there)?\W*$/i.test(heard)

interface Lines {
  handoff: string
  fallback: string
}

const english: Lines = {
  handoff: 'I am getting a person for you.',
  fallback: 'Sorry, I did not understand that.',
}

/** What an agent says of its own accord, in the languages we can vouch for. */
const lines: Record<string, Lines> = {
  en: english,
  es: { handoff: 'Le paso con una persona.', fallback: 'Disculpe, no le he entendido.' },
  pt: { handoff: 'Vou chamar uma pessoa para ajudar.', fallback: 'Desculpe, não entendi.' },
  de: { handoff: 'Ich hole jemanden für Sie.', fallback: 'Entschuldigung, das habe ich nicht verstanden.' },
  fr: { handoff: 'Je vous passe une personne.', fallback: 'Désolé, je n’ai pas compris.' },
  it: { handoff: 'La metto in contatto con una persona.', fallback: 'Mi scusi, non ho capito.' },
}

export const linesIn = (language: string): Lines => lines[language.slice(0, 2).toLowerCase()] ?? english
